// The functions that make each kind of expression; registry.cc names them.
#pragma once

#include <memory>
#include <vector>

#include "expressions/expression.h"

namespace reprise {

/// What a Make function gets: the specification, the input's columns, and the arguments, already
/// made. The signature (signatures.h) has been checked: number and types of the arguments.
struct FunctionCall {
  const ExpressionSpec& spec;
  const std::vector<Field>& input;
  std::vector<std::unique_ptr<Expression>> arguments;
};

using MadeExpression = Result<std::unique_ptr<Expression>>;

MadeExpression MakeColumn(FunctionCall call);  // leaves.cc
MadeExpression MakeLiteral(FunctionCall call);
MadeExpression MakeRuntimeValue(FunctionCall call);

MadeExpression MakeAnd(FunctionCall call);  // logic.cc
MadeExpression MakeOr(FunctionCall call);
MadeExpression MakeNot(FunctionCall call);
MadeExpression MakeIsNull(FunctionCall call);  // null_tests.cc
MadeExpression MakeIsNotNull(FunctionCall call);
MadeExpression MakeIsNan(FunctionCall call);  // is_nan.cc

MadeExpression MakeEqual(FunctionCall call);  // comparison.cc
MadeExpression MakeLess(FunctionCall call);
MadeExpression MakeLessOrEqual(FunctionCall call);
MadeExpression MakeGreater(FunctionCall call);
MadeExpression MakeGreaterOrEqual(FunctionCall call);
MadeExpression MakeEqualNullSafe(FunctionCall call);
MadeExpression MakeIn(FunctionCall call);  // in_list.cc

MadeExpression MakeStartsWith(FunctionCall call);  // string_matching.cc
MadeExpression MakeEndsWith(FunctionCall call);
MadeExpression MakeContains(FunctionCall call);
MadeExpression MakeLike(FunctionCall call);
MadeExpression MakeSubstring(FunctionCall call);  // substring.cc

MadeExpression MakeTrim(FunctionCall call);  // string_functions.cc
MadeExpression MakeTrimLeft(FunctionCall call);
MadeExpression MakeTrimRight(FunctionCall call);
MadeExpression MakeReverse(FunctionCall call);
MadeExpression MakeRepeat(FunctionCall call);
MadeExpression MakeReplace(FunctionCall call);
MadeExpression MakePadLeft(FunctionCall call);
MadeExpression MakePadRight(FunctionCall call);
MadeExpression MakeConcat(FunctionCall call);
MadeExpression MakeConcatWs(FunctionCall call);
MadeExpression MakeLength(FunctionCall call);  // string_measures.cc
MadeExpression MakeOctetLength(FunctionCall call);
MadeExpression MakeBitLength(FunctionCall call);
MadeExpression MakePosition(FunctionCall call);
MadeExpression MakeLocate(FunctionCall call);  // locate.cc

MadeExpression MakeYear(FunctionCall call);  // date_fields.cc
MadeExpression MakeQuarter(FunctionCall call);
MadeExpression MakeMonth(FunctionCall call);
MadeExpression MakeDayOfMonth(FunctionCall call);
MadeExpression MakeDayOfYear(FunctionCall call);
MadeExpression MakeDayOfWeek(FunctionCall call);
MadeExpression MakeWeekDay(FunctionCall call);
MadeExpression MakeWeekOfYear(FunctionCall call);

MadeExpression MakeHour(FunctionCall call);  // timestamp_fields.cc
MadeExpression MakeMinute(FunctionCall call);
MadeExpression MakeSecond(FunctionCall call);
MadeExpression MakeSecondWithFraction(FunctionCall call);
MadeExpression MakeUnixSeconds(FunctionCall call);
MadeExpression MakeUnixMillis(FunctionCall call);
MadeExpression MakeUnixMicros(FunctionCall call);
MadeExpression MakeTruncateDate(FunctionCall call);  // truncate_time.cc
MadeExpression MakeTruncateTimestamp(FunctionCall call);
MadeExpression MakeTimestampAdd(FunctionCall call);  // timestamp_add.cc
MadeExpression MakeDateAdd(FunctionCall call);       // date_arithmetic.cc
MadeExpression MakeDateSub(FunctionCall call);
MadeExpression MakeDateDiff(FunctionCall call);
MadeExpression MakeAddMonths(FunctionCall call);
MadeExpression MakeLastDay(FunctionCall call);
MadeExpression MakeNextDay(FunctionCall call);        // next_day.cc
MadeExpression MakeMonthsBetween(FunctionCall call);  // months_between.cc

MadeExpression MakeAdd(FunctionCall call);  // arithmetic.cc
MadeExpression MakeSubtract(FunctionCall call);
MadeExpression MakeMultiply(FunctionCall call);
MadeExpression MakeDivide(FunctionCall call);  // division.cc
MadeExpression MakeRemainder(FunctionCall call);
MadeExpression MakeIntegralDivide(FunctionCall call);
MadeExpression MakePmod(FunctionCall call);
MadeExpression MakeCeil(FunctionCall call);  // rounding.cc
MadeExpression MakeFloor(FunctionCall call);
MadeExpression MakeRound(FunctionCall call);
MadeExpression MakeBround(FunctionCall call);
MadeExpression MakeBitAnd(FunctionCall call);  // bits.cc
MadeExpression MakeBitOr(FunctionCall call);
MadeExpression MakeBitXor(FunctionCall call);
MadeExpression MakeBitNot(FunctionCall call);
MadeExpression MakeShiftLeft(FunctionCall call);
MadeExpression MakeShiftRight(FunctionCall call);
MadeExpression MakeShiftRightUnsigned(FunctionCall call);
MadeExpression MakeSquareRoot(FunctionCall call);
MadeExpression MakeSignum(FunctionCall call);
MadeExpression MakeGreatest(FunctionCall call);  // extremes.cc
MadeExpression MakeLeast(FunctionCall call);
MadeExpression MakeNegate(FunctionCall call);  // sign.cc
MadeExpression MakeAbs(FunctionCall call);

MadeExpression MakeDecimalSum(FunctionCall call, bool subtract);  // decimal_sum.cc
MadeExpression MakeDecimalProduct(FunctionCall call);             // decimal_product.cc
MadeExpression MakeDecimalDivide(FunctionCall call);              // decimal_division.cc
MadeExpression MakeDecimalRemainder(FunctionCall call);
MadeExpression MakeDecimalIntegralDivide(FunctionCall call);

MadeExpression MakeCast(FunctionCall call);             // cast.cc
MadeExpression MakeNumericCast(FunctionCall call);      // cast_numeric.cc
MadeExpression MakeCastToDecimal(FunctionCall call);    // cast_to_decimal.cc
MadeExpression MakeCastFromDecimal(FunctionCall call);  // cast_from_decimal.cc
MadeExpression MakeCastToString(FunctionCall call);     // cast_to_string.cc
MadeExpression MakeCastFromString(FunctionCall call);   // cast_from_string.cc
MadeExpression MakeCastTimestamp(FunctionCall call);    // cast_timestamp.cc

MadeExpression MakeIf(FunctionCall call);  // conditional.cc
MadeExpression MakeCaseWhen(FunctionCall call);
MadeExpression MakeCoalesce(FunctionCall call);

MadeExpression MakeNormalizeNanAndZero(FunctionCall call);  // floating.cc
MadeExpression MakeUnscaledValue(FunctionCall call);        // cast_from_decimal.cc
MadeExpression MakeMakeDecimal(FunctionCall call);          // cast_to_decimal.cc
MadeExpression MakeCheckOverflow(FunctionCall call);

MadeExpression MakeMurmur3Hash(FunctionCall call);  // murmur3_hash.cc
MadeExpression MakeXxHash64(FunctionCall call);     // xxhash64.cc

/// The boolean attribute `name` of the call, or Status::Invalid that names it.
Result<bool> BooleanAttribute(const ExpressionSpec& spec, const char* name);

}  // namespace reprise
