// Numbers and types as SQL text writes them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "plan/spec.h"

namespace reprise {

/// A word of SQL in lower case: names of functions and types are looked up so.
std::string LowerCase(std::string_view text);

/// A literal of this type; `value` as the spec of a literal has it (plan/spec.h).
ExpressionSpec SqlLiteralOf(DataType type, nlohmann::json value);

/// The literal that Spark makes of a number: 12 an int, a bigint or a decimal by its size; 1.5 a
/// decimal; 1e3 a double; suffixes L, S, Y, F, D, BD. Status::Invalid where it is none or does not
/// fit.
Result<ExpressionSpec> SqlNumber(std::string_view text);

/// The type of this name, in any case: "int", "bigint", "decimal" with its numbers of digits …
Result<DataType> SqlType(std::string_view name, const std::vector<int>& numbers);

}  // namespace reprise
