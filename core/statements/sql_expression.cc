#include "statements/sql_expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "plan/nested_type.h"
#include "statements/sql_value.h"

namespace reprise {

namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

// $0 … $9 are the operands, $* all of them.
struct Form {
  std::string_view function;
  std::string_view text;
};

constexpr Form kForms[] = {
    {"and", "($0 AND $1)"},
    {"or", "($0 OR $1)"},
    {"not", "(NOT $0)"},
    {"is_null", "($0 IS NULL)"},
    {"is_not_null", "($0 IS NOT NULL)"},
    {"is_nan", "isnan($0)"},
    {"equal", "($0 = $1)"},
    {"equal_null_safe", "($0 <=> $1)"},
    {"less", "($0 < $1)"},
    {"less_or_equal", "($0 <= $1)"},
    {"greater", "($0 > $1)"},
    {"greater_or_equal", "($0 >= $1)"},
    {"if", "IF($*)"},
    {"coalesce", "coalesce($*)"},
    {"greatest", "greatest($*)"},
    {"least", "least($*)"},
    {"starts_with", "startswith($*)"},
    {"ends_with", "endswith($*)"},
    {"contains", "contains($*)"},
    {"substring", "substring($*)"},
    {"reverse", "reverse($0)"},
    {"repeat", "repeat($*)"},
    {"replace", "replace($*)"},
    {"pad_left", "lpad($*)"},
    {"pad_right", "rpad($*)"},
    {"concat", "concat($*)"},
    {"concat_ws", "concat_ws($*)"},
    {"length", "length($0)"},
    {"octet_length", "octet_length($0)"},
    {"bit_length", "bit_length($0)"},
    {"ascii", "ascii($0)"},
    {"position", "instr($*)"},
    {"year", "year($0)"},
    {"quarter", "quarter($0)"},
    {"month", "month($0)"},
    {"day_of_month", "dayofmonth($0)"},
    {"day_of_year", "dayofyear($0)"},
    {"day_of_week", "dayofweek($0)"},
    {"week_day", "weekday($0)"},
    {"week_of_year", "weekofyear($0)"},
    {"hour", "hour($0)"},
    {"minute", "minute($0)"},
    {"second", "second($0)"},
    {"second_with_fraction", "extract(SECOND FROM $0)"},
    {"unix_seconds", "unix_seconds($0)"},
    {"unix_millis", "unix_millis($0)"},
    {"unix_micros", "unix_micros($0)"},
    {"add_months", "add_months($*)"},
    {"date_add", "date_add($*)"},
    {"date_sub", "date_sub($*)"},
    {"date_diff", "datediff($*)"},
    {"last_day", "last_day($0)"},
    {"add", "($0 + $1)"},
    {"subtract", "($0 - $1)"},
    {"multiply", "($0 * $1)"},
    {"divide", "($0 / $1)"},
    {"remainder", "($0 % $1)"},
    {"integral_divide", "($0 div $1)"},
    {"pmod", "pmod($*)"},
    {"negate", "(- $0)"},
    {"abs", "abs($0)"},
    {"bit_and", "($0 & $1)"},
    {"bit_or", "($0 | $1)"},
    {"bit_xor", "($0 ^ $1)"},
    {"bit_not", "(~ $0)"},
    {"shift_left", "shiftleft($*)"},
    {"shift_right", "shiftright($*)"},
    {"shift_right_unsigned", "shiftrightunsigned($*)"},
    {"square_root", "sqrt($0)"},
    {"signum", "signum($0)"},
    {"normalize_nan_and_zero", "($0 + CAST(0 AS $type))"},
    {"substring_index", "substring_index($*)"},
    {"md5", "md5($0)"},
    {"sha1", "sha1($0)"},
    {"sha2", "sha2($0, $1)"},
    {"crc32", "crc32($0)"},
    {"hex", "hex($0)"},
    {"width_bucket", "width_bucket($*)"},
    {"make_struct", "named_struct($*)"},
    {"make_array", "array($*)"},
    {"make_map", "map($*)"},
    {"array_item", "$0[$1]"},
    {"element_at", "element_at($*)"},
    {"map_value", "element_at($*)"},
    {"array_contains", "array_contains($*)"},
    {"transform", "transform($*)"},
    {"filter", "filter($*)"},
    {"exists", "exists($*)"},
    {"forall", "forall($*)"},
    {"aggregate", "aggregate($*)"},
    {"zip_with", "zip_with($*)"},
    {"map_filter", "map_filter($*)"},
    {"transform_values", "transform_values($*)"},
};

std::string Filled(std::string_view form, const Texts& operands, const DataType& type) {
  std::string text;
  for (size_t i = 0; i < form.size(); ++i) {
    const std::string_view rest = form.substr(i);
    if (rest.starts_with("$type")) {
      text += type.ToString();
      i += 4;
    } else if (rest.starts_with("$*")) {
      text += fmt::format("{}", fmt::join(operands, ", "));
      ++i;
    } else if (rest[0] == '$') {
      text += operands[static_cast<size_t>(rest[1] - '0')];
      ++i;
    } else {
      text += rest[0];
    }
  }
  return text;
}

Result<Json> Attribute(const ExpressionSpec& expression, const char* name) {
  const auto found = expression.attributes.find(name);
  if (found != expression.attributes.end()) return *found;
  return Status::Invalid(expression.function, " has no attribute \"", name, "\"");
}

Result<int64_t> Integer(const ExpressionSpec& expression, const char* name) {
  ARROW_ASSIGN_OR_RAISE(const Json value, Attribute(expression, name));
  if (value.is_number_integer()) return value.get<int64_t>();
  return Status::Invalid(expression.function, ": \"", name, "\" is no integer");
}

Status NoForm(const ExpressionSpec& expression, std::string_view why) {
  return Status::NotImplemented(expression.function, " has no form in Spark's SQL", why);
}

/// 10 to this power, as a decimal of just its digits.
std::string PowerOfTen(int exponent) {
  return fmt::format("CAST('1{}' AS decimal({},0))",
                     std::string(static_cast<size_t>(exponent), '0'), exponent + 1);
}

Result<std::string> OfIn(const ExpressionSpec&, const Texts& operands) {
  if (operands.size() == 1) return fmt::format("IF({} IS NULL, NULL, false)", operands[0]);
  return fmt::format("({} IN ({}))", operands[0],
                     fmt::join(operands.begin() + 1, operands.end(), ", "));
}

Result<std::string> OfCase(const ExpressionSpec&, const Texts& operands) {
  std::string text = "CASE";
  size_t i = 0;
  for (; i + 1 < operands.size(); i += 2) {
    text += fmt::format(" WHEN {} THEN {}", operands[i], operands[i + 1]);
  }
  if (i < operands.size()) text += " ELSE " + operands[i];
  return text + " END";
}

Result<std::string> OfHash(const ExpressionSpec& hash, const Texts& operands) {
  ARROW_ASSIGN_OR_RAISE(const int64_t seed, Integer(hash, "seed"));
  if (seed != 42) return NoForm(hash, fmt::format(" with the seed {}", seed));
  return fmt::format("{}({})", hash.function == "xxhash64" ? "xxhash64" : "hash",
                     fmt::join(operands, ", "));
}

Result<std::string> OfLike(const ExpressionSpec& like, const Texts& operands) {
  ARROW_ASSIGN_OR_RAISE(const Json escape, Attribute(like, "escape"));
  return fmt::format("({} LIKE {} ESCAPE {})", operands[0], operands[1],
                     SqlText(escape.get<std::string>()));
}

Result<std::string> OfTrim(const ExpressionSpec& trim, const Texts& operands) {
  const std::string_view side = trim.function == "trim"        ? "BOTH"
                                : trim.function == "trim_left" ? "LEADING"
                                                               : "TRAILING";
  return fmt::format("trim({} {} FROM {})", side, operands.size() > 1 ? operands[1] : "' '",
                     operands[0]);
}

Result<std::string> OfLocate(const ExpressionSpec& locate, const Texts& operands) {
  ARROW_ASSIGN_OR_RAISE(const Json start, Attribute(locate, "start"));
  return fmt::format("locate({}, {}, {})", operands[0], operands[1],
                     start.is_null() ? "CAST(NULL AS int)" : start.dump());
}

Result<std::string> OfTruncated(const ExpressionSpec& truncated, const Texts& operands) {
  ARROW_ASSIGN_OR_RAISE(const Json level, Attribute(truncated, "level"));
  const std::string unit = SqlText(level.get<std::string>());
  return truncated.function == "truncate_date"
             ? fmt::format("trunc({}, {})", operands[0], unit)
             : fmt::format("date_trunc({}, {})", unit, operands[0]);
}

Result<std::string> OfTimeAdded(const ExpressionSpec& added, const Texts& operands) {
  if (added.attributes.contains("months")) {
    ARROW_ASSIGN_OR_RAISE(const int64_t months, Integer(added, "months"));
    return fmt::format("({} + make_ym_interval(0, {}))", operands[0], months);
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t micros, Integer(added, "micros"));
  return fmt::format("({} + {})", operands[0], SqlOfMicros(micros));
}

Result<std::string> OfNextDay(const ExpressionSpec& next, const Texts& operands) {
  constexpr std::array<std::string_view, 7> kDays = {"TH", "FR", "SA", "SU", "MO", "TU", "WE"};
  ARROW_ASSIGN_OR_RAISE(const int64_t day, Integer(next, "day"));
  if (day < 0 || day > 6) return Status::Invalid("next_day: there is no day ", day);
  return fmt::format("next_day({}, '{}')", operands[0], kDays[static_cast<size_t>(day)]);
}

Result<std::string> OfMonthsBetween(const ExpressionSpec& between, const Texts& operands) {
  ARROW_ASSIGN_OR_RAISE(const Json round, Attribute(between, "round"));
  return fmt::format("months_between({}, {}, {})", operands[0], operands[1], round.dump());
}

Result<std::string> OfRounded(const ExpressionSpec& rounded, const Texts& operands) {
  if (!rounded.attributes.contains("scale")) {
    return fmt::format("{}({})", rounded.function, operands[0]);
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t scale, Integer(rounded, "scale"));
  return fmt::format("{}({}, {})", rounded.function, operands[0], scale);
}

Result<std::string> OfCast(const ExpressionSpec& cast, const Texts& operands) {
  return fmt::format("CAST({} AS {})", operands[0], cast.type.ToString());
}

Result<std::string> OfUnscaled(const ExpressionSpec& unscaled, const Texts& operands) {
  return fmt::format("CAST(({} * {}) AS bigint)", operands[0],
                     PowerOfTen(unscaled.arguments[0].type.scale));
}

// Null or an error where the value does not fit.
Result<std::string> FittedInto(const ExpressionSpec& fitted, const std::string& value) {
  ARROW_ASSIGN_OR_RAISE(const Json null_on_overflow, Attribute(fitted, "null_on_overflow"));
  return fmt::format("{}({} AS {})", null_on_overflow == true ? "TRY_CAST" : "CAST", value,
                     fitted.type.ToString());
}
Result<std::string> OfScaled(const ExpressionSpec& made, const Texts& operands) {
  return FittedInto(made, fmt::format("(CAST({} AS decimal(20,0)) / {})", operands[0],
                                      PowerOfTen(made.type.scale)));
}
Result<std::string> OfChecked(const ExpressionSpec& checked, const Texts& operands) {
  return FittedInto(checked, operands[0]);
}

Result<std::string> OfField(const ExpressionSpec& field, const Texts& operands) {
  ARROW_ASSIGN_OR_RAISE(const int64_t ordinal, Integer(field, "ordinal"));
  const auto type = ParseNestedType(field.arguments[0].type);
  if (!type || type->form != NestedType::Form::kStruct || ordinal < 0 ||
      ordinal >= type->arrow->num_fields()) {
    return Status::Invalid("struct_field: there is no field ", ordinal);
  }
  return operands[0] + "." + SqlName(type->arrow->field(static_cast<int>(ordinal))->name());
}

Result<std::string> OfSize(const ExpressionSpec& size, const Texts& operands) {
  ARROW_ASSIGN_OR_RAISE(const Json legacy, Attribute(size, "legacy"));
  return fmt::format("IF({0} IS NULL, {1}, size({0}))", operands[0],
                     legacy == true ? "-1" : "NULL");
}

Result<std::string> OfVariable(const ExpressionSpec& variable, const Texts&) {
  ARROW_ASSIGN_OR_RAISE(const int64_t number, Integer(variable, "variable"));
  return fmt::format("lambda_{}", number);
}

Result<std::string> OfLambda(const ExpressionSpec&, const Texts& operands) {
  return fmt::format("({}) -> {}", fmt::join(operands.begin() + 1, operands.end(), ", "),
                     operands[0]);
}

struct SpecialForm {
  std::string_view function;
  Result<std::string> (*write)(const ExpressionSpec& expression, const Texts& operands);
};

constexpr SpecialForm kSpecialForms[] = {
    {"in", OfIn},
    {"case_when", OfCase},
    {"murmur3_hash", OfHash},
    {"xxhash64", OfHash},
    {"like", OfLike},
    {"trim", OfTrim},
    {"trim_left", OfTrim},
    {"trim_right", OfTrim},
    {"locate", OfLocate},
    {"truncate_timestamp", OfTruncated},
    {"truncate_date", OfTruncated},
    {"timestamp_add", OfTimeAdded},
    {"next_day", OfNextDay},
    {"months_between", OfMonthsBetween},
    {"ceil", OfRounded},
    {"floor", OfRounded},
    {"round", OfRounded},
    {"bround", OfRounded},
    {"cast", OfCast},
    {"unscaled_value", OfUnscaled},
    {"make_decimal", OfScaled},
    {"check_overflow", OfChecked},
    {"struct_field", OfField},
    {"size", OfSize},
    {"lambda", OfLambda},
    {"lambda_variable", OfVariable},
};

Result<std::string> OfColumn(const ExpressionSpec& column, const Texts& columns) {
  ARROW_ASSIGN_OR_RAISE(const int64_t index, Integer(column, "index"));
  if (index >= 0 && index < static_cast<int64_t>(columns.size())) {
    return columns[static_cast<size_t>(index)];
  }
  return Status::Invalid("an expression reads column ", index, " of ", columns.size());
}

}  // namespace

Result<std::string> SqlOfExpression(const ExpressionSpec& expression, const Texts& columns) {
  if (expression.function == "column") return OfColumn(expression, columns);
  if (expression.function == "literal") return SqlOfLiteral(expression);
  ARROW_ASSIGN_OR_RAISE(const Texts operands, SqlOfExpressions(expression.arguments, columns));
  const auto* special =
      std::ranges::find(kSpecialForms, expression.function, &SpecialForm::function);
  if (special != std::end(kSpecialForms)) return special->write(expression, operands);
  const auto* form = std::ranges::find(kForms, expression.function, &Form::function);
  if (form == std::end(kForms)) return NoForm(expression, "");
  return Filled(form->text, operands, expression.type);
}

Result<Texts> SqlOfExpressions(const std::vector<ExpressionSpec>& expressions,
                               const Texts& columns) {
  Texts texts;
  for (const ExpressionSpec& expression : expressions) {
    ARROW_ASSIGN_OR_RAISE(texts.emplace_back(), SqlOfExpression(expression, columns));
  }
  return texts;
}

}  // namespace reprise
