#include "plan/floating_literal.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace reprise {

std::optional<double> FloatingLiteralValue(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<double>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  if (value == "-0.0") return -0.0;
  return std::nullopt;
}

}  // namespace reprise
