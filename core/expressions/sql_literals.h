// Numbers as Spark writes them into SQL text: what its errors show.
#pragma once

#include <string>

#include "expressions/decimal_math.h"
#include "plan/data_type.h"

namespace reprise {

/// An integer of `type`: 128, 128L, 300S, 5Y.
std::string SqlLiteral(int64_t value, const DataType& type);

/// A float or double: 300.7, 2.0E9D, NaN. Java before 19 writes more digits than needed for some.
std::string SqlLiteral(double value, const DataType& type);

/// A float or double as Spark casts it to a string: 300.7, 2.0E9, NaN.
std::string FloatingText(double value, const DataType& type);

/// A decimal: 128.50BD.
std::string SqlLiteral(Int128 unscaled, const DataType& type);

}  // namespace reprise
