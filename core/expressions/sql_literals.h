// Numbers as Spark writes them into SQL text: what its errors show.
#pragma once

#include <string>

#include "expressions/decimal_math.h"
#include "plan/data_type.h"

namespace reprise {

/// An integer of `type`: 128, 128L, 300S, 5Y.
std::string SqlLiteral(int64_t value, const DataType& type);

/// A float or double: CAST('300.7' AS FLOAT), 2.0E9D.
std::string SqlLiteral(double value, const DataType& type);

/// A decimal: 128.50BD.
std::string SqlLiteral(Int128 unscaled, const DataType& type);

/// As Java's Double.toString and Float.toString write it: "1.5", "2.0E9", "1.0E-5", "NaN",
/// "-Infinity"; the digits are the shortest that tell the value apart.
std::string JavaDouble(double value);
std::string JavaFloat(float value);

}  // namespace reprise
