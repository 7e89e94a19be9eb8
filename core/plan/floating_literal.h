// The values of floating-point literals in specifications.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace reprise {

/// A number, or "NaN", "Infinity", "-Infinity" or "-0.0", for which JSON has none. Nothing where it
/// is no such value.
std::optional<double> FloatingLiteralValue(const nlohmann::json& value);

}  // namespace reprise
