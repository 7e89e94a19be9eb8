// Writers of what works on times: fields in a zone, beginnings of units, intervals added.
#include <algorithm>
#include <array>

#include "plan/string_literal.h"
#include "plan/time_pattern.h"
#include "rules/expression_writers.h"
#include "rules/plan_zones.h"

namespace reprise::writers {

namespace {

using ValueKind = PlanValue::Kind;
using Json = nlohmann::json;

struct UnitName {
  std::string_view name;
  std::string_view level;
};

/// DateTimeUtils.parseTruncLevel.
constexpr UnitName kUnits[] = {
    {"MICROSECOND", "microsecond"},
    {"MILLISECOND", "millisecond"},
    {"SECOND", "second"},
    {"MINUTE", "minute"},
    {"HOUR", "hour"},
    {"DAY", "day"},
    {"DD", "day"},
    {"WEEK", "week"},
    {"MON", "month"},
    {"MONTH", "month"},
    {"MM", "month"},
    {"QUARTER", "quarter"},
    {"YEAR", "year"},
    {"YYYY", "year"},
    {"YY", "year"},
};
constexpr std::array<std::string_view, 4> kUnitsOfDates = {"week", "month", "quarter", "year"};

std::string Upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

struct DayName {
  std::string_view name;
  int number;
};

/// DateTimeUtils.getDayOfWeekFromString.
constexpr DayName kDays[] = {
    {"TH", 0}, {"THU", 0}, {"THURSDAY", 0},  {"FR", 1}, {"FRI", 1}, {"FRIDAY", 1},
    {"SA", 2}, {"SAT", 2}, {"SATURDAY", 2},  {"SU", 3}, {"SUN", 3}, {"SUNDAY", 3},
    {"MO", 4}, {"MON", 4}, {"MONDAY", 4},    {"TU", 5}, {"TUE", 5}, {"TUESDAY", 5},
    {"WE", 6}, {"WED", 6}, {"WEDNESDAY", 6},
};

/// The pattern of an operand that is a literal, as far as it is read natively.
std::optional<TimePattern> PatternIn(const ExpressionSpec& operand) {
  if (operand.function != "literal") return std::nullopt;
  const auto text = StringLiteralBytes(operand.attributes.at("value"));
  return text ? TimePattern::Read(*text) : std::nullopt;
}

std::string_view LevelNamed(std::string_view text) {
  const auto* unit = std::ranges::find(kUnits, Upper(text), &UnitName::name);
  return unit == std::end(kUnits) ? std::string_view() : unit->level;
}

}  // namespace

Written InZone(ExpressionSpec spec, const PlanObject& expression,
               ExpressionTranslator& translator) {
  auto zone = ZoneOf(expression);
  if (!zone) {
    return translator.Refuse(expression, "the rules of its time zone are not part of the plan");
  }
  if (!zone->is_null()) spec.attributes["zone"] = std::move(*zone);
  return spec;
}

/// What depends on the expression's zone, unless its operands are timestamps without one.
Written Zoned(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator) {
  const bool local = operands[0].type.is(TypeKind::kTimestampNtz);
  Written spec = Plain(rule, expression, std::move(operands), translator);
  if (!spec || local) return spec;
  return InZone(std::move(*spec), expression, translator);
}

/// TruncTimestamp(format, timestamp) and TruncDate(date, format): to units that Spark knows.
Written Truncated(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                  ExpressionTranslator& translator) {
  const bool of_date = operands[0].type.is(TypeKind::kDate);
  const PlanValue* unit = LiteralOf(rule, expression);
  if (unit == nullptr || !unit->is(ValueKind::kString)) {
    return RefuseLiteral(rule, expression, translator);
  }
  const std::string_view level = LevelNamed(unit->text);
  if (level.empty() ||
      (of_date && std::ranges::find(kUnitsOfDates, level) == kUnitsOfDates.end())) {
    return translator.Refuse(expression, "its unit is none that Spark knows: it is null");
  }
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  spec.attributes["level"] = level;
  if (of_date) return spec;
  return InZone(std::move(spec), expression, translator);
}

/// NextDay(date, name of a day).
Written NextDay(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                ExpressionTranslator& translator) {
  const PlanValue* name = LiteralOf(rule, expression);
  if (name == nullptr || !name->is(ValueKind::kString)) {
    return RefuseLiteral(rule, expression, translator);
  }
  const std::string upper = Upper(name->text);
  const auto* day = std::ranges::find(kDays, upper, &DayName::name);
  if (day == std::end(kDays)) {
    return translator.Refuse(expression, "its day of the week is none that Spark knows");
  }
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  spec.attributes["day"] = day->number;
  return spec;
}

/// TimestampAddInterval and TimestampAddYMInterval with a literal: Spark's internal value of one is
/// microseconds or months.
Written IntervalAdded(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                      ExpressionTranslator& translator) {
  const PlanValue* value = LiteralOf(rule, expression);
  if (value == nullptr || !value->is(ValueKind::kInteger)) {
    return RefuseLiteral(rule, expression, translator);
  }
  const bool months = rule.class_name.ends_with("TimestampAddYMInterval");
  const bool local = operands[0].type.is(TypeKind::kTimestampNtz);
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  spec.attributes[months ? "months" : "micros"] = value->integer;
  if (local) return spec;
  return InZone(std::move(spec), expression, translator);
}

/// DateAddYMInterval with a literal: so many months.
Written MonthsAdded(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                    ExpressionTranslator& translator) {
  const PlanValue* value = LiteralOf(rule, expression);
  if (value == nullptr || !value->is(ValueKind::kInteger)) {
    return RefuseLiteral(rule, expression, translator);
  }
  auto months = LiteralSpec(*value, {TypeKind::kInteger});
  if (!months.ok()) return translator.Refuse(expression, months.status().message());
  operands.push_back(std::move(*months));
  return SpecOf(rule, expression, std::move(operands));
}

/// DateFormatClass(timestamp, pattern).
Written FormatLiteral(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                      ExpressionTranslator& translator) {
  if (!PatternIn(operands[1]) || translator.has_legacy_dates()) {
    return translator.Refuse(expression, "its pattern has more than numbers");
  }
  return InZone(SpecOf(rule, expression, std::move(operands)), expression, translator);
}

/// GetTimestamp(text, pattern), and the like that give seconds.
Written ParsedLiteral(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                      ExpressionTranslator& translator) {
  const auto pattern = PatternIn(operands[1]);
  if (!pattern || !pattern->is_for_parsing() || translator.has_legacy_dates()) {
    return translator.Refuse(expression, "its pattern has more than numbers of a fixed width");
  }
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  const bool is_local = expression.type->is(TypeKind::kTimestampNtz);
  return is_local ? std::optional(spec) : InZone(std::move(spec), expression, translator);
}

}  // namespace reprise::writers
