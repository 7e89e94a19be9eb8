#include "expressions/sql_literals.h"

#include <charconv>
#include <cmath>

namespace reprise {

namespace {

// As Java's Double.toString and Float.toString, with the shortest digits that tell the value apart:
// plainly from 10^-3 to below 10^7, and otherwise with one digit before the point.
template <typename T>
std::string JavaText(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  const T magnitude = std::fabs(value);
  const bool plain = magnitude == 0 || (magnitude >= T(1e-3) && magnitude < T(1e7));
  char buffer[64];
  const auto result =
      std::to_chars(buffer, buffer + sizeof(buffer), value,
                    plain ? std::chars_format::fixed : std::chars_format::scientific);
  std::string text(buffer, result.ptr);
  if (plain) return text.find('.') == std::string::npos ? text + ".0" : text;
  const size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  if (digits.find('.') == std::string::npos) digits += ".0";
  return fmt::format("{}E{}", digits, std::stoi(text.substr(e + 1)));
}

}  // namespace

std::string SqlLiteral(int64_t value, const DataType& type) {
  const char* suffix = type.is(TypeKind::kLong)    ? "L"
                       : type.is(TypeKind::kShort) ? "S"
                       : type.is(TypeKind::kByte)  ? "Y"
                                                   : "";
  return fmt::format("{}{}", value, suffix);
}

std::string FloatingText(double value, const DataType& type) {
  return type.is(TypeKind::kFloat) ? JavaText(static_cast<float>(value)) : JavaText(value);
}

std::string SqlLiteral(double value, const DataType& type) {
  const bool is_marked = type.is(TypeKind::kDouble) && std::isfinite(value);
  return FloatingText(value, type) + (is_marked ? "D" : "");
}

std::string SqlLiteral(Int128 unscaled, const DataType& type) {
  return PlainDecimal(unscaled, type.scale) + "BD";
}

}  // namespace reprise
