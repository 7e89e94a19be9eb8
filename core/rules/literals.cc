// Spark's literal values as literal specs: {"decimal":"12.5"} of decimal(4,2)  -> {"value":"1250"}.
#include <charconv>
#include <cmath>

#include "rules/expression_table.h"
#include "rules/expression_translation.h"

namespace reprise {

namespace {

using ValueKind = PlanValue::Kind;

Status Unexpected(const DataType& type) {
  return Status::NotImplemented("a literal of type ", TypeText(type),
                                " is written in a form that is not known");
}

/// Java's Double.toString and Float.toString: "1.0E10", "NaN", "-Infinity".
Result<nlohmann::json> FloatingValue(std::string_view text, const DataType& type) {
  if (text == "NaN" || text == "Infinity" || text == "-Infinity" || text == "-0.0") {
    return std::string(text);
  }
  const char* end = text.data() + text.size();
  if (type.is(TypeKind::kFloat)) {
    float value = 0;
    const auto [last, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || last != end) return Unexpected(type);
    return static_cast<double>(value);
  }
  const auto value = ParseDouble(text);
  if (!value) return Unexpected(type);
  return *value;
}

/// A plain number as its unscaled digits at the type's scale.
Result<nlohmann::json> DecimalValue(std::string_view text, const DataType& type) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const size_t point = text.find('.');
  std::string digits(text.substr(0, point));
  std::string fraction(point == std::string_view::npos ? "" : text.substr(point + 1));
  const size_t scale = static_cast<size_t>(std::max(type.scale, 0));
  while (fraction.size() > scale && fraction.back() == '0') fraction.pop_back();
  if (fraction.size() > scale || type.scale < 0) return Unexpected(type);
  digits += fraction + std::string(scale - fraction.size(), '0');
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.find_first_not_of("0123456789") != std::string::npos) return Unexpected(type);
  if (digits.size() > static_cast<size_t>(type.precision)) return Unexpected(type);
  if (digits.empty()) return "0";
  return (negative ? "-" : "") + digits;
}

bool IsIntegerTyped(const DataType& type) {
  return type.is_integral() || type.is(TypeKind::kDate) || type.is(TypeKind::kTimestamp) ||
         type.is(TypeKind::kTimestampNtz);
}

Result<nlohmann::json> ValueOf(const PlanValue& value, const DataType& type) {
  if (value.is_null()) return nullptr;
  if (type.is(TypeKind::kBoolean) && value.is(ValueKind::kBoolean)) return value.boolean;
  if (IsIntegerTyped(type) && value.is(ValueKind::kInteger)) return value.integer;
  if (type.is_floating() && value.is(ValueKind::kDouble)) return FloatingValue(value.text, type);
  if (type.is(TypeKind::kDecimal) && value.is(ValueKind::kDecimal)) {
    return DecimalValue(value.text, type);
  }
  if (type.is(TypeKind::kString) && value.is(ValueKind::kString)) return std::string(value.text);
  if (type.is(TypeKind::kString) && value.is(ValueKind::kBytes)) {
    return nlohmann::json::object({{"bytes", std::string(value.text)}});
  }
  if (type.is(TypeKind::kBinary) && value.is(ValueKind::kBytes)) return std::string(value.text);
  if (value.is(ValueKind::kOpaque)) {
    return Status::NotImplemented("the value is too large to be part of a plan");
  }
  return Unexpected(type);
}

}  // namespace

std::optional<double> ParseDouble(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || last != end) return std::nullopt;
  return value;
}

Result<ExpressionSpec> LiteralSpec(const PlanValue& value, const DataType& type) {
  if (!IsNativeType(type) && !(value.is_null() && CanTravel(type))) {
    return Status::NotImplemented("type ", TypeText(type), " has no native form");
  }
  ExpressionSpec spec;
  spec.function = "literal";
  spec.type = type;
  spec.nullable = value.is_null();
  ARROW_ASSIGN_OR_RAISE(spec.attributes["value"], ValueOf(value, type));
  return spec;
}

}  // namespace reprise
