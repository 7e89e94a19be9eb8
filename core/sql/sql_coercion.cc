#include "sql/sql_coercion.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "expressions/civil_date.h"
#include "expressions/parse_text.h"
#include "sql/sql_timestamp.h"
#include "vocabulary/casts.h"

namespace reprise {

namespace {

constexpr int kDecimalDigitsMax = 38;
constexpr int kScaleKept = 6;  // DecimalType.MINIMUM_ADJUSTED_SCALE

bool IsAnyTimestamp(const DataType& type) {
  return type.is(TypeKind::kTimestamp) || type.is(TypeKind::kTimestampNtz);
}
bool IsLiteral(const ExpressionSpec& expression) { return expression.function == "literal"; }

// The decimal that holds every value of an integral type (DecimalType.forType).
DataType AsDecimal(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kByte:
      return Decimal(3, 0);
    case TypeKind::kShort:
      return Decimal(5, 0);
    case TypeKind::kInteger:
      return Decimal(10, 0);
    case TypeKind::kLong:
      return Decimal(20, 0);
    default:
      return type;
  }
}

// As AsDecimal; of an integer literal the decimal that has just its digits
// (DecimalType.fromLiteral).
DataType AsDecimal(const ExpressionSpec& expression) {
  if (!IsLiteral(expression) || !expression.type.is_integral()) return AsDecimal(expression.type);
  const auto& value = expression.attributes.at("value");
  std::string digits = value.dump();
  if (digits.starts_with('-')) digits.erase(0, 1);
  return Decimal(static_cast<int>(digits.size()), 0);
}

// DecimalType.adjustPrecisionScale: too many digits cost scale, but not the last six of it.
DataType Adjusted(int precision, int scale) {
  if (precision <= kDecimalDigitsMax) return Decimal(precision, scale);
  const int kept = std::min(scale, kScaleKept);
  return Decimal(kDecimalDigitsMax, std::max(kDecimalDigitsMax - (precision - scale), kept));
}

DataType WiderDecimal(const DataType& a, const DataType& b) {
  const int scale = std::max(a.scale, b.scale);
  const int whole = std::max(a.precision - a.scale, b.precision - b.scale);
  return Decimal(std::min(whole + scale, kDecimalDigitsMax), std::min(scale, kDecimalDigitsMax));
}

std::optional<DataType> CommonType(const DataType& a, const DataType& b) {
  if (a == b || b.is(TypeKind::kNull)) return a;
  if (a.is(TypeKind::kNull)) return b;
  if (IsNumber(a) && IsNumber(b)) {
    if (a.is_floating() && a.kind == b.kind) return a;
    if (a.is_floating() || b.is_floating()) return DataType{TypeKind::kDouble};
    if (a.is_integral() && b.is_integral()) return a.kind > b.kind ? a : b;
    return WiderDecimal(AsDecimal(a), AsDecimal(b));
  }
  const auto is_day_or_time = [](const DataType& type) {
    return type.is(TypeKind::kDate) || IsAnyTimestamp(type);
  };
  if (is_day_or_time(a) && is_day_or_time(b)) {
    if (a.is(TypeKind::kTimestamp) || b.is(TypeKind::kTimestamp))
      return DataType{TypeKind::kTimestamp};
    return DataType{TypeKind::kTimestampNtz};
  }
  if (a.is(TypeKind::kString) && is_day_or_time(b)) return b;
  if (b.is(TypeKind::kString) && is_day_or_time(a)) return a;
  return std::nullopt;
}

Result<ExpressionSpec> TimeLiteral(ExpressionSpec literal, const DataType& to) {
  const std::string text = literal.attributes.at("value").get<std::string>();
  if (to.is(TypeKind::kDate)) {
    const auto days = ParseDate(text);
    if (!days) return Status::Invalid("'", text, "' is no date; expected 'yyyy-mm-dd'");
    literal.attributes["value"] = *days;
  } else {
    const auto micros = ParseSqlTimestamp(text);
    if (!micros) {
      return Status::Invalid("'", text,
                             "' is no time; expected 'yyyy-mm-dd hh:mm:ss.ffffff' in UTC");
    }
    literal.attributes["value"] = *micros;
  }
  literal.type = to;
  return literal;
}

Status NoArithmetic(std::string_view function, const DataType& left, const DataType& right) {
  return Status::Invalid(function, " takes numbers, found ", left.ToString(), " and ",
                         right.ToString());
}

// The type of a result of decimals: DecimalPrecision / the operators' resultDecimalType.
DataType DecimalResult(std::string_view function, const DataType& a, const DataType& b) {
  const int whole = std::max(a.precision - a.scale, b.precision - b.scale);
  if (function == "multiply") return Adjusted(a.precision + b.precision + 1, a.scale + b.scale);
  if (function == "divide") {
    const int scale = std::max(kScaleKept, a.scale + b.precision + 1);
    return Adjusted(a.precision - a.scale + b.scale + scale, scale);
  }
  const int scale = std::max(a.scale, b.scale);
  if (function == "remainder") {
    return Adjusted(std::min(a.precision - a.scale, b.precision - b.scale) + scale, scale);
  }
  return Adjusted(whole + scale + 1, scale);
}

// A date beside an integer, or beside a date.
Result<ExpressionSpec> DateArithmetic(std::string_view function, ExpressionSpec left,
                                      ExpressionSpec right) {
  const bool adds = function == "add";
  if (adds && right.type.is(TypeKind::kDate)) std::swap(left, right);
  if (!adds && function != "subtract") return NoArithmetic(function, left.type, right.type);
  if (!adds && left.type.is(TypeKind::kDate) && right.type.is(TypeKind::kDate)) {
    return SqlCall("date_diff", {TypeKind::kInteger}, {std::move(left), std::move(right)});
  }
  if (!left.type.is(TypeKind::kDate) || !right.type.is_integral()) {
    return NoArithmetic(function, left.type, right.type);
  }
  ARROW_ASSIGN_OR_RAISE(right, SqlCast(std::move(right), {TypeKind::kInteger}));
  return SqlCall(adds ? "date_add" : "date_sub", {TypeKind::kDate},
                 {std::move(left), std::move(right)});
}

}  // namespace

bool IsNumber(const DataType& type) {
  return type.is_integral() || type.is_floating() || type.is(TypeKind::kDecimal);
}

ExpressionSpec SqlCall(std::string_view function, DataType type,
                       std::vector<ExpressionSpec> arguments) {
  ExpressionSpec call;
  call.function = function;
  call.type = std::move(type);
  call.arguments = std::move(arguments);
  return call;
}

Result<ExpressionSpec> SqlCast(ExpressionSpec expression, const DataType& to) {
  const DataType from = expression.type;
  if (from == to) return expression;
  if (from.is(TypeKind::kNull)) {
    expression.type = to;
    return expression;
  }
  const bool to_time = to.is(TypeKind::kDate) || IsAnyTimestamp(to);
  if (IsLiteral(expression) && from.is(TypeKind::kString) && to_time) {
    return TimeLiteral(std::move(expression), to);
  }
  if (!CanCast(from, to)) {
    return Status::Invalid("values of type ", from.ToString(), " cannot be cast to ", to.ToString(),
                           " here");
  }
  ExpressionSpec cast = SqlCall("cast", to, {std::move(expression)});
  cast.attributes["ansi"] = true;
  return cast;
}

Status SqlUnify(std::vector<ExpressionSpec>* expressions) {
  DataType common = expressions->front().type;
  const bool has_decimal = std::ranges::any_of(
      *expressions, [](const ExpressionSpec& e) { return e.type.is(TypeKind::kDecimal); });
  for (const ExpressionSpec& expression : *expressions) {
    const DataType& type = expression.type;
    const DataType own = has_decimal && type.is_integral() ? AsDecimal(expression) : type;
    const auto wider = CommonType(common, own);
    if (!wider) {
      return Status::Invalid("values of type ", common.ToString(), " and ", type.ToString(),
                             " cannot be compared: cast one of them");
    }
    common = *wider;
  }
  if (common.is(TypeKind::kNull)) common = {TypeKind::kBoolean};
  for (ExpressionSpec& expression : *expressions) {
    ARROW_ASSIGN_OR_RAISE(expression, SqlCast(std::move(expression), common));
  }
  return Status::OK();
}

Result<ExpressionSpec> SqlArithmetic(std::string_view function, ExpressionSpec left,
                                     ExpressionSpec right) {
  if (left.type.is(TypeKind::kDate) || right.type.is(TypeKind::kDate)) {
    return DateArithmetic(function, std::move(left), std::move(right));
  }
  if (left.type.is(TypeKind::kNull)) left.type = right.type;
  if (right.type.is(TypeKind::kNull)) right.type = left.type;
  if (!IsNumber(left.type) || !IsNumber(right.type)) {
    return NoArithmetic(function, left.type, right.type);
  }
  const bool decimals = left.type.is(TypeKind::kDecimal) || right.type.is(TypeKind::kDecimal);
  const bool floating = left.type.is_floating() || right.type.is_floating();
  const bool divides = function == "divide";
  ExpressionSpec call;
  if (decimals && !floating) {
    const DataType left_type = AsDecimal(left);
    const DataType right_type = AsDecimal(right);
    ARROW_ASSIGN_OR_RAISE(left, SqlCast(std::move(left), left_type));
    ARROW_ASSIGN_OR_RAISE(right, SqlCast(std::move(right), right_type));
    const DataType result = function == "integral_divide"
                                ? DataType{TypeKind::kLong}
                                : DecimalResult(function, left_type, right_type);
    call = SqlCall(function, result, {std::move(left), std::move(right)});
  } else {
    DataType type = *CommonType(left.type, right.type);
    if (function == "integral_divide") {
      if (floating) return Status::Invalid("div takes integers and decimals");
      type = {TypeKind::kLong};
    }
    if (divides && !type.is_floating()) type = {TypeKind::kDouble};
    if (divides && type.is(TypeKind::kFloat)) type = {TypeKind::kDouble};
    ARROW_ASSIGN_OR_RAISE(left, SqlCast(std::move(left), type));
    ARROW_ASSIGN_OR_RAISE(right, SqlCast(std::move(right), type));
    call = SqlCall(function, type, {std::move(left), std::move(right)});
  }
  call.attributes["ansi"] = true;
  return call;
}

}  // namespace reprise
