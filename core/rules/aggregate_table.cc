#include "rules/aggregate_table.h"

#include <algorithm>

namespace reprise {

namespace {

/// DecimalType.bounded(precision + 10, scale), in Sum.sumDataType and Average.sumDataType.
DataType SumOfDecimals(const DataType& input) {
  return Decimal(std::min(38, input.precision + 10), std::min(38, input.scale));
}

std::vector<Field> CountBuffer(const DataType&, const DataType&) {
  return {{"count", {TypeKind::kLong}, false}};
}

std::vector<Field> SumBuffer(const DataType& input, const DataType& result) {
  if (!input.is(TypeKind::kDecimal)) return {{"sum", result, true}};
  return {{"sum", SumOfDecimals(input), true}, {"isEmpty", {TypeKind::kBoolean}, false}};
}

std::vector<Field> AverageBuffer(const DataType& input, const DataType&) {
  const DataType sum =
      input.is(TypeKind::kDecimal) ? SumOfDecimals(input) : DataType{TypeKind::kDouble};
  return {{"sum", sum, true}, {"count", {TypeKind::kLong}, true}};
}

constexpr TypeSet kDoubleResult = TypesOf({TypeKind::kDouble});
constexpr std::string_view kNoLegacy = "not with `spark.sql.legacy.statisticalAggregate`";

std::vector<Field> MomentBuffer(const DataType&, const DataType&) {
  const DataType type{TypeKind::kDouble};
  return {{"n", type, false}, {"avg", type, false}, {"m2", type, false}};
}

std::vector<Field> FirstBuffer(const DataType& input, const DataType&) {
  return {{"first", input, true}, {"valueSet", {TypeKind::kBoolean}, false}};
}

std::vector<Field> LastBuffer(const DataType& input, const DataType&) {
  return {{"last", input, true}, {"valueSet", {TypeKind::kBoolean}, false}};
}

std::vector<Field> MinBuffer(const DataType& input, const DataType&) {
  return {{"min", input, true}};
}

std::vector<Field> MaxBuffer(const DataType& input, const DataType&) {
  return {{"max", input, true}};
}

#define AGGREGATE "org.apache.spark.sql.catalyst.expressions.aggregate."

constexpr AggregateRule kAggregates[] = {
    {AGGREGATE "Count", "count", kAllTypes, false, CountBuffer, ""},
    {AGGREGATE "Sum", "sum", kNumericTypes, true, SumBuffer, "not in TRY mode"},
    {AGGREGATE "Average", "avg", kNumericTypes, true, AverageBuffer, "not in TRY mode"},
    {AGGREGATE "VariancePop", "var_pop", kDoubleResult, false, MomentBuffer, kNoLegacy},
    {AGGREGATE "VarianceSamp", "var_samp", kDoubleResult, false, MomentBuffer, kNoLegacy},
    {AGGREGATE "StddevPop", "stddev_pop", kDoubleResult, false, MomentBuffer, kNoLegacy},
    {AGGREGATE "StddevSamp", "stddev_samp", kDoubleResult, false, MomentBuffer, kNoLegacy},
    {AGGREGATE "First", "first", kAllTypes, false, FirstBuffer, ""},
    {AGGREGATE "Last", "last", kAllTypes, false, LastBuffer, ""},
    {AGGREGATE "Min", "min", kAllTypes, false, MinBuffer, ""},
    {AGGREGATE "Max", "max", kAllTypes, false, MaxBuffer, ""},
};

#undef AGGREGATE

}  // namespace

std::span<const AggregateRule> AggregateTable() { return kAggregates; }

const AggregateRule* FindAggregateRule(std::string_view class_name) {
  const auto found = std::ranges::find(kAggregates, class_name, &AggregateRule::class_name);
  return found == std::end(kAggregates) ? nullptr : found;
}

}  // namespace reprise
