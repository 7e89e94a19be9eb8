// Makes expressions from specs: one literal table, function -> Make function and what arguments it
// takes.
#include <algorithm>
#include <span>

#include "expressions/functions.h"
#include "expressions/query_context.h"
#include "expressions/signatures.h"

namespace reprise {

namespace {

struct Function {
  std::string_view name;
  MadeExpression (*make)(FunctionCall);
};

constexpr Function kFunctions[] = {
    {"column", MakeColumn},
    {"literal", MakeLiteral},
    {"runtime_value", MakeRuntimeValue},
    {"and", MakeAnd},
    {"or", MakeOr},
    {"not", MakeNot},
    {"is_null", MakeIsNull},
    {"is_not_null", MakeIsNotNull},
    {"is_nan", MakeIsNan},
    {"equal", MakeEqual},
    {"equal_null_safe", MakeEqualNullSafe},
    {"less", MakeLess},
    {"less_or_equal", MakeLessOrEqual},
    {"greater", MakeGreater},
    {"greater_or_equal", MakeGreaterOrEqual},
    {"in", MakeIn},
    {"starts_with", MakeStartsWith},
    {"ends_with", MakeEndsWith},
    {"contains", MakeContains},
    {"like", MakeLike},
    {"substring", MakeSubstring},
    {"trim", MakeTrim},
    {"trim_left", MakeTrimLeft},
    {"trim_right", MakeTrimRight},
    {"reverse", MakeReverse},
    {"repeat", MakeRepeat},
    {"replace", MakeReplace},
    {"pad_left", MakePadLeft},
    {"pad_right", MakePadRight},
    {"concat", MakeConcat},
    {"concat_ws", MakeConcatWs},
    {"length", MakeLength},
    {"octet_length", MakeOctetLength},
    {"bit_length", MakeBitLength},
    {"position", MakePosition},
    {"locate", MakeLocate},
    {"year", MakeYear},
    {"quarter", MakeQuarter},
    {"month", MakeMonth},
    {"day_of_month", MakeDayOfMonth},
    {"day_of_year", MakeDayOfYear},
    {"day_of_week", MakeDayOfWeek},
    {"week_day", MakeWeekDay},
    {"week_of_year", MakeWeekOfYear},
    {"hour", MakeHour},
    {"minute", MakeMinute},
    {"second", MakeSecond},
    {"second_with_fraction", MakeSecondWithFraction},
    {"unix_seconds", MakeUnixSeconds},
    {"unix_millis", MakeUnixMillis},
    {"unix_micros", MakeUnixMicros},
    {"truncate_date", MakeTruncateDate},
    {"truncate_timestamp", MakeTruncateTimestamp},
    {"timestamp_add", MakeTimestampAdd},
    {"date_add", MakeDateAdd},
    {"date_sub", MakeDateSub},
    {"date_diff", MakeDateDiff},
    {"add_months", MakeAddMonths},
    {"last_day", MakeLastDay},
    {"next_day", MakeNextDay},
    {"months_between", MakeMonthsBetween},
    {"add", MakeAdd},
    {"subtract", MakeSubtract},
    {"multiply", MakeMultiply},
    {"divide", MakeDivide},
    {"remainder", MakeRemainder},
    {"integral_divide", MakeIntegralDivide},
    {"pmod", MakePmod},
    {"ceil", MakeCeil},
    {"floor", MakeFloor},
    {"round", MakeRound},
    {"bround", MakeBround},
    {"bit_and", MakeBitAnd},
    {"bit_or", MakeBitOr},
    {"bit_xor", MakeBitXor},
    {"bit_not", MakeBitNot},
    {"shift_left", MakeShiftLeft},
    {"shift_right", MakeShiftRight},
    {"shift_right_unsigned", MakeShiftRightUnsigned},
    {"square_root", MakeSquareRoot},
    {"signum", MakeSignum},
    {"greatest", MakeGreatest},
    {"least", MakeLeast},
    {"negate", MakeNegate},
    {"abs", MakeAbs},
    {"cast", MakeCast},
    {"if", MakeIf},
    {"case_when", MakeCaseWhen},
    {"coalesce", MakeCoalesce},
    {"normalize_nan_and_zero", MakeNormalizeNanAndZero},
    {"unscaled_value", MakeUnscaledValue},
    {"make_decimal", MakeMakeDecimal},
    {"check_overflow", MakeCheckOverflow},
    {"murmur3_hash", MakeMurmur3Hash},
    {"xxhash64", MakeXxHash64},
};

}  // namespace

Result<std::unique_ptr<Expression>> MakeExpression(const ExpressionSpec& spec,
                                                   const std::vector<Field>& input) {
  const auto* function = std::ranges::find(kFunctions, spec.function, &Function::name);
  if (function == std::end(kFunctions)) {
    return Status::NotImplemented("there is no function \"", spec.function, "\"");
  }
  RETURN_NOT_OK(ToArrow(spec.type));
  FunctionCall call{spec, input, {}};
  std::vector<DataType> types;
  for (const ExpressionSpec& argument : spec.arguments) {
    ARROW_ASSIGN_OR_RAISE(auto made, MakeExpression(argument, input));
    types.push_back(made->type());
    call.arguments.push_back(std::move(made));
  }
  RETURN_NOT_OK(CheckSignature(spec, types));
  ARROW_ASSIGN_OR_RAISE(auto made, function->make(std::move(call)));
  return WithQueryContext(std::move(made), spec);
}

std::vector<std::string> FunctionNames() {
  std::vector<std::string> names;
  for (const Function& function : kFunctions) names.emplace_back(function.name);
  return names;
}

Result<bool> BooleanAttribute(const ExpressionSpec& spec, const char* name) {
  const auto found = spec.attributes.find(name);
  if (found == spec.attributes.end() || !found->is_boolean()) {
    return Status::Invalid(spec.function, " has no boolean attribute \"", name, "\"");
  }
  return found->get<bool>();
}

}  // namespace reprise
