#include "sql/sql_functions.h"

#include <algorithm>
#include <limits>
#include <ranges>

#include "base/nearest_name.h"
#include "sql/sql_coercion.h"
#include "sql/sql_literal_text.h"

namespace reprise {

namespace {

using Arguments = std::vector<ExpressionSpec>;
using Bound = Result<ExpressionSpec>;

constexpr size_t kAny = std::numeric_limits<size_t>::max();

struct SqlFunction {
  std::string_view name;
  size_t least;
  size_t most;
  std::string_view function;  // of the registry
  Bound (*bind)(std::string_view function, Arguments arguments);
};

ExpressionSpec LiteralOf(TypeKind kind, nlohmann::json value) {
  ExpressionSpec literal = SqlCall("literal", {kind}, {});
  literal.attributes["value"] = std::move(value);
  return literal;
}

// A call of this type after the arguments were cast to these types, the last of which is that of
// all further ones.
Bound Typed(std::string_view function, TypeKind type, std::vector<TypeKind> wanted,
            Arguments arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const DataType to{wanted[std::min(i, wanted.size() - 1)]};
    ARROW_ASSIGN_OR_RAISE(arguments[i], SqlCast(std::move(arguments[i]), to));
  }
  return SqlCall(function, {type}, std::move(arguments));
}

Bound TextOfTexts(std::string_view function, Arguments arguments) {
  return Typed(function, TypeKind::kString, {TypeKind::kString}, std::move(arguments));
}
Bound TestOfTexts(std::string_view function, Arguments arguments) {
  return Typed(function, TypeKind::kBoolean, {TypeKind::kString}, std::move(arguments));
}
Bound IntegerOfTexts(std::string_view function, Arguments arguments) {
  return Typed(function, TypeKind::kInteger, {TypeKind::kString}, std::move(arguments));
}
Bound BindMeasure(std::string_view function, Arguments arguments) {
  if (arguments[0].type.is(TypeKind::kBinary)) {
    return SqlCall(function, {TypeKind::kInteger}, std::move(arguments));
  }
  return IntegerOfTexts(function, std::move(arguments));
}
Bound Repeated(std::string_view function, Arguments arguments) {
  return Typed(function, TypeKind::kString, {TypeKind::kString, TypeKind::kInteger},
               std::move(arguments));
}
Bound Padded(std::string_view function, Arguments arguments) {
  if (arguments.size() == 2) arguments.push_back(LiteralOf(TypeKind::kString, " "));
  return Typed(function, TypeKind::kString,
               {TypeKind::kString, TypeKind::kInteger, TypeKind::kString}, std::move(arguments));
}
Bound BindSubstring(std::string_view function, Arguments arguments) {
  if (arguments.size() == 2) {
    arguments.push_back(LiteralOf(TypeKind::kInteger, std::numeric_limits<int32_t>::max()));
  }
  return Repeated(function, std::move(arguments));
}
Bound FieldOfDate(std::string_view function, Arguments arguments) {
  return Typed(function, TypeKind::kInteger, {TypeKind::kDate}, std::move(arguments));
}
Bound FieldOfTime(std::string_view function, Arguments arguments) {
  if (arguments[0].type.is(TypeKind::kTimestampNtz)) {
    return SqlCall(function, {TypeKind::kInteger}, std::move(arguments));
  }
  return Typed(function, TypeKind::kInteger, {TypeKind::kTimestamp}, std::move(arguments));
}
Bound LongOfTime(std::string_view function, Arguments arguments) {
  return Typed(function, TypeKind::kLong, {TypeKind::kTimestamp}, std::move(arguments));
}
Bound DateOfDateAndDays(std::string_view function, Arguments arguments) {
  return Typed(function, TypeKind::kDate, {TypeKind::kDate, TypeKind::kInteger},
               std::move(arguments));
}

Bound SameNumber(std::string_view function, Arguments arguments) {
  const DataType type = arguments[0].type;
  if (!IsNumber(type)) {
    return Status::Invalid(function, " takes a number, found ", type.ToString());
  }
  ExpressionSpec call = SqlCall(function, type, std::move(arguments));
  call.attributes["ansi"] = true;
  return call;
}
Bound OfDouble(std::string_view function, Arguments arguments) {
  return Typed(function, TypeKind::kDouble, {TypeKind::kDouble}, std::move(arguments));
}
Bound Whole(std::string_view function, Arguments arguments) {
  const DataType type = arguments[0].type;
  if (type.is(TypeKind::kDecimal)) {
    // Ceil.dataType: without the scale, but with a digit for a carry.
    const int digits = type.scale == 0 ? type.precision : type.precision - type.scale + 1;
    return SqlCall(function, Decimal(std::min(digits, 38), 0), std::move(arguments));
  }
  const TypeKind taken = type.is_floating() ? TypeKind::kDouble : TypeKind::kLong;
  return Typed(function, TypeKind::kLong, {taken}, std::move(arguments));
}
Bound Rounded(std::string_view function, Arguments arguments) {
  const DataType type = arguments[0].type;
  int64_t scale = 0;
  if (arguments.size() == 2) {
    const auto value = arguments[1].attributes.find("value");
    if (value == arguments[1].attributes.end() || !value->is_number_integer()) {
      return Status::Invalid(function, " takes the number of digits as an integer literal");
    }
    scale = value->get<int64_t>();
    arguments.pop_back();
  }
  if (type.is_integral() && scale >= 0) return std::move(arguments[0]);
  if (!type.is(TypeKind::kDecimal)) {
    return Status::Invalid(function, " takes a decimal, found ", type.ToString());
  }
  // RoundBase.dataType
  const int64_t before = type.precision - type.scale + 1;
  const int64_t kept = std::min<int64_t>(scale, type.scale);
  const DataType result =
      scale < 0
          ? Decimal(static_cast<int>(std::min<int64_t>(std::max(before, -scale + 1), 38)), 0)
          : Decimal(static_cast<int>(std::min<int64_t>(before + kept, 38)), static_cast<int>(kept));
  ExpressionSpec call = SqlCall(function, result, std::move(arguments));
  call.attributes["scale"] = scale;
  return call;
}
Bound BindRemainder(std::string_view function, Arguments arguments) {
  return SqlArithmetic(function, std::move(arguments[0]), std::move(arguments[1]));
}
Bound Pmod(std::string_view function, Arguments arguments) {
  RETURN_NOT_OK(SqlUnify(&arguments));
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec call, SameNumber(function, std::move(arguments)));
  return call;
}
Bound Alike(std::string_view function, Arguments arguments) {
  RETURN_NOT_OK(SqlUnify(&arguments));
  const DataType type = arguments[0].type;
  return SqlCall(function, type, std::move(arguments));
}
Bound BindNullTest(std::string_view function, Arguments arguments) {
  return SqlCall(function, {TypeKind::kBoolean}, std::move(arguments));
}
Bound BindIsNan(std::string_view function, Arguments arguments) {
  if (arguments[0].type.is(TypeKind::kFloat)) return BindNullTest(function, std::move(arguments));
  return Typed(function, TypeKind::kBoolean, {TypeKind::kDouble}, std::move(arguments));
}
Bound If(std::string_view function, Arguments arguments) {
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec condition,
                        SqlCast(std::move(arguments[0]), {TypeKind::kBoolean}));
  Arguments values = {std::move(arguments[1]), std::move(arguments[2])};
  RETURN_NOT_OK(SqlUnify(&values));
  const DataType type = values[0].type;
  return SqlCall(function, type,
                 {std::move(condition), std::move(values[0]), std::move(values[1])});
}
Bound NullIf(std::string_view, Arguments arguments) {
  const ExpressionSpec value = arguments[0];
  RETURN_NOT_OK(SqlUnify(&arguments));
  ExpressionSpec equal = SqlCall("equal", {TypeKind::kBoolean}, std::move(arguments));
  ExpressionSpec null = LiteralOf(value.type.kind, nullptr);
  null.type = value.type;
  return SqlCall("if", value.type, {std::move(equal), std::move(null), value});
}
Bound Hash(std::string_view function, Arguments arguments) {
  const TypeKind type = function == "xxhash64" ? TypeKind::kLong : TypeKind::kInteger;
  ExpressionSpec call = SqlCall(function, {type}, std::move(arguments));
  call.attributes["seed"] = 42;
  return call;
}

constexpr SqlFunction kSqlFunctions[] = {
    {"abs", 1, 1, "abs", SameNumber},
    {"add_months", 2, 2, "add_months", DateOfDateAndDays},
    {"bit_length", 1, 1, "bit_length", BindMeasure},
    {"bround", 1, 2, "bround", Rounded},
    {"ceil", 1, 1, "ceil", Whole},
    {"ceiling", 1, 1, "ceil", Whole},
    {"char_length", 1, 1, "length", BindMeasure},
    {"character_length", 1, 1, "length", BindMeasure},
    {"coalesce", 1, kAny, "coalesce", Alike},
    {"concat", 1, kAny, "concat", TextOfTexts},
    {"concat_ws", 1, kAny, "concat_ws", TextOfTexts},
    {"contains", 2, 2, "contains", TestOfTexts},
    {"date_add", 2, 2, "date_add", DateOfDateAndDays},
    {"date_diff", 2, 2, "date_diff", FieldOfDate},
    {"date_sub", 2, 2, "date_sub", DateOfDateAndDays},
    {"datediff", 2, 2, "date_diff", FieldOfDate},
    {"day", 1, 1, "day_of_month", FieldOfDate},
    {"dayofmonth", 1, 1, "day_of_month", FieldOfDate},
    {"dayofweek", 1, 1, "day_of_week", FieldOfDate},
    {"dayofyear", 1, 1, "day_of_year", FieldOfDate},
    {"endswith", 2, 2, "ends_with", TestOfTexts},
    {"floor", 1, 1, "floor", Whole},
    {"greatest", 2, kAny, "greatest", Alike},
    {"hash", 1, kAny, "murmur3_hash", Hash},
    {"hour", 1, 1, "hour", FieldOfTime},
    {"if", 3, 3, "if", If},
    {"ifnull", 2, 2, "coalesce", Alike},
    {"instr", 2, 2, "position", IntegerOfTexts},
    {"isnan", 1, 1, "is_nan", BindIsNan},
    {"isnotnull", 1, 1, "is_not_null", BindNullTest},
    {"isnull", 1, 1, "is_null", BindNullTest},
    {"last_day", 1, 1, "last_day",
     [](std::string_view function, Arguments arguments) {
       return Typed(function, TypeKind::kDate, {TypeKind::kDate}, std::move(arguments));
     }},
    {"least", 2, kAny, "least", Alike},
    {"length", 1, 1, "length", BindMeasure},
    {"lpad", 2, 3, "pad_left", Padded},
    {"ltrim", 1, 1, "trim_left", TextOfTexts},
    {"minute", 1, 1, "minute", FieldOfTime},
    {"mod", 2, 2, "remainder", BindRemainder},
    {"month", 1, 1, "month", FieldOfDate},
    {"nullif", 2, 2, "if", NullIf},
    {"nvl", 2, 2, "coalesce", Alike},
    {"octet_length", 1, 1, "octet_length", BindMeasure},
    {"pmod", 2, 2, "pmod", Pmod},
    {"quarter", 1, 1, "quarter", FieldOfDate},
    {"repeat", 2, 2, "repeat", Repeated},
    {"replace", 3, 3, "replace", TextOfTexts},
    {"reverse", 1, 1, "reverse", TextOfTexts},
    {"round", 1, 2, "round", Rounded},
    {"rpad", 2, 3, "pad_right", Padded},
    {"rtrim", 1, 1, "trim_right", TextOfTexts},
    {"second", 1, 1, "second", FieldOfTime},
    {"sign", 1, 1, "signum", OfDouble},
    {"signum", 1, 1, "signum", OfDouble},
    {"sqrt", 1, 1, "square_root", OfDouble},
    {"startswith", 2, 2, "starts_with", TestOfTexts},
    {"substr", 2, 3, "substring", BindSubstring},
    {"substring", 2, 3, "substring", BindSubstring},
    {"trim", 1, 1, "trim", TextOfTexts},
    {"unix_micros", 1, 1, "unix_micros", LongOfTime},
    {"unix_millis", 1, 1, "unix_millis", LongOfTime},
    {"unix_seconds", 1, 1, "unix_seconds", LongOfTime},
    {"weekday", 1, 1, "week_day", FieldOfDate},
    {"weekofyear", 1, 1, "week_of_year", FieldOfDate},
    {"xxhash64", 1, kAny, "xxhash64", Hash},
    {"year", 1, 1, "year", FieldOfDate},
};

}  // namespace

Result<ExpressionSpec> SqlFunctionCall(std::string_view name,
                                       std::vector<ExpressionSpec> arguments) {
  const std::string lower = LowerCase(name);
  const auto* function = std::ranges::find(kSqlFunctions, lower, &SqlFunction::name);
  if (function == std::end(kSqlFunctions)) {
    const auto names = kSqlFunctions | std::views::transform(&SqlFunction::name);
    return Status::Invalid("there is no function ", name, " here; did you mean ",
                           NearestName(lower, names), "?");
  }
  if (arguments.size() < function->least || arguments.size() > function->most) {
    return Status::Invalid(name, " takes ", function->least,
                           function->most == kAny ? " or more"
                           : function->most == function->least
                               ? ""
                               : fmt::format(" to {}", function->most),
                           " arguments, found ", arguments.size());
  }
  const auto bound = function->bind(function->function, std::move(arguments));
  return bound.ok() ? bound : WithPrefix(bound.status(), lower + ": ");
}

}  // namespace reprise
