// The values of string literals in specifications.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace reprise {

/// The bytes of a string literal's value: a string, or {"bytes":"base64"} where it is not UTF-8.
/// Nothing where it is no such value.
std::optional<std::string> StringLiteralBytes(const nlohmann::json& value);

}  // namespace reprise
