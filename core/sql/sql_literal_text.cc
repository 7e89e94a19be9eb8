#include "sql/sql_literal_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace reprise {

namespace {

constexpr int kDigitsMax = 38;

struct NamedType {
  std::string_view name;
  TypeKind kind;
};

constexpr NamedType kTypes[] = {
    {"boolean", TypeKind::kBoolean},
    {"byte", TypeKind::kByte},
    {"tinyint", TypeKind::kByte},
    {"short", TypeKind::kShort},
    {"smallint", TypeKind::kShort},
    {"int", TypeKind::kInteger},
    {"integer", TypeKind::kInteger},
    {"long", TypeKind::kLong},
    {"bigint", TypeKind::kLong},
    {"float", TypeKind::kFloat},
    {"real", TypeKind::kFloat},
    {"double", TypeKind::kDouble},
    {"string", TypeKind::kString},
    {"binary", TypeKind::kBinary},
    {"date", TypeKind::kDate},
    {"timestamp", TypeKind::kTimestamp},
    {"timestamp_ltz", TypeKind::kTimestamp},
    {"timestamp_ntz", TypeKind::kTimestampNtz},
};

struct Suffix {
  std::string_view text;
  TypeKind kind;
  int64_t least;
  int64_t most;
};

template <typename T>
constexpr Suffix OfInteger(std::string_view text, TypeKind kind) {
  return {text, kind, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

constexpr Suffix kSuffixes[] = {
    {"bd", TypeKind::kDecimal, 0, 0},
    {"d", TypeKind::kDouble, 0, 0},
    {"f", TypeKind::kFloat, 0, 0},
    OfInteger<int64_t>("l", TypeKind::kLong),
    OfInteger<int16_t>("s", TypeKind::kShort),
    OfInteger<int8_t>("y", TypeKind::kByte),
};

Status NoNumber(std::string_view text, std::string_view why) {
  return Status::Invalid(text, " is no number", why);
}

std::optional<int64_t> Integer(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "-1.50" → decimal(3,2) of -150. `digits` holds digits, a point and a sign only.
Result<ExpressionSpec> DecimalLiteral(std::string_view text) {
  std::string unscaled;
  int scale = 0;
  bool after_point = false;
  for (const char c : text) {
    if (c == '.') {
      after_point = true;
    } else if (c != '-') {
      if (c < '0' || c > '9') return NoNumber(text, "");
      unscaled += c;
      scale += after_point ? 1 : 0;
    }
  }
  unscaled.erase(0, std::min(unscaled.find_first_not_of('0'), unscaled.size()));
  const int precision = std::max({static_cast<int>(unscaled.size()), scale, 1});
  if (precision > kDigitsMax) return NoNumber(text, ": a decimal has at most 38 digits");
  if (unscaled.empty()) unscaled = "0";
  if (text.starts_with('-') && unscaled != "0") unscaled = "-" + unscaled;
  return SqlLiteralOf(Decimal(precision, scale), unscaled);
}

Result<ExpressionSpec> FloatingLiteral(const std::string& text, TypeKind kind) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() || !std::isfinite(value)) return NoNumber(text, "");
  if (value == 0 && std::signbit(value)) return SqlLiteralOf({kind}, "-0.0");
  return SqlLiteralOf({kind}, value);
}

}  // namespace

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

ExpressionSpec SqlLiteralOf(DataType type, nlohmann::json value) {
  ExpressionSpec literal;
  literal.function = "literal";
  literal.type = std::move(type);
  literal.nullable = value.is_null();
  literal.attributes["value"] = std::move(value);
  return literal;
}

Result<ExpressionSpec> SqlNumber(std::string_view written) {
  const std::string text = LowerCase(written);
  for (const Suffix& suffix : kSuffixes) {
    if (!text.ends_with(suffix.text)) continue;
    const std::string number = text.substr(0, text.size() - suffix.text.size());
    if (suffix.kind == TypeKind::kDecimal) return DecimalLiteral(number);
    if (suffix.least == 0) return FloatingLiteral(number, suffix.kind);
    const auto value = Integer(number);
    if (!value || *value < suffix.least || *value > suffix.most) {
      return NoNumber(written, " of type " + DataType{suffix.kind}.ToString());
    }
    return SqlLiteralOf({suffix.kind}, *value);
  }
  if (text.find('e') != std::string::npos) return FloatingLiteral(text, TypeKind::kDouble);
  if (text.find('.') != std::string::npos) return DecimalLiteral(text);
  const auto value = Integer(text);
  if (!value) return DecimalLiteral(text);
  const bool is_int = *value == static_cast<int32_t>(*value);
  return SqlLiteralOf({is_int ? TypeKind::kInteger : TypeKind::kLong}, *value);
}

Result<DataType> SqlType(std::string_view name, const std::vector<int>& numbers) {
  const std::string lower = LowerCase(name);
  if (lower == "decimal" || lower == "dec" || lower == "numeric") {
    const int precision = numbers.empty() ? 10 : numbers[0];
    const int scale = numbers.size() < 2 ? 0 : numbers[1];
    if (numbers.size() > 2 || precision < 1 || precision > kDigitsMax || scale < 0 ||
        scale > precision) {
      return Status::Invalid("decimal takes up to 38 digits, and of them those after the point");
    }
    return Decimal(precision, scale);
  }
  const auto* type = std::ranges::find(kTypes, lower, &NamedType::name);
  if (type == std::end(kTypes)) return Status::Invalid("there is no type ", name, " here");
  if (!numbers.empty()) return Status::Invalid(name, " takes no number of digits");
  return DataType{type->kind};
}

}  // namespace reprise
