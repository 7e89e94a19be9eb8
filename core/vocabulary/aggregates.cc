#include "vocabulary/aggregates.h"

#include <fmt/format.h>

#include <algorithm>

namespace reprise {

namespace {

/// DecimalType.bounded(precision + 10, scale), in Sum.sumDataType and Average.sumDataType.
DataType SumOfDecimals(const DataType& input) {
  return Decimal(std::min(38, input.precision + 10), std::min(38, input.scale));
}

/// The same of Average.resultType.
DataType AverageOfDecimals(const DataType& input) {
  return Decimal(std::min(38, input.precision + 4), std::min(38, input.scale + 4));
}

DataType CountResult(const DataType&) { return DataType{TypeKind::kLong}; }

DataType SumResult(const DataType& input) {
  if (input.is(TypeKind::kDecimal)) return SumOfDecimals(input);
  return DataType{input.is_floating() ? TypeKind::kDouble : TypeKind::kLong};
}

DataType AverageResult(const DataType& input) {
  return input.is(TypeKind::kDecimal) ? AverageOfDecimals(input) : DataType{TypeKind::kDouble};
}

DataType DoubleResult(const DataType&) { return DataType{TypeKind::kDouble}; }
DataType BinaryResult(const DataType&) { return DataType{TypeKind::kBinary}; }
DataType SameResult(const DataType& input) { return input; }

std::vector<Field> CountBuffer(const DataType&) {
  return {{"count", DataType{TypeKind::kLong}, false}};
}

std::vector<Field> SumBuffer(const DataType& input) {
  std::vector<Field> buffer = {{"sum", SumResult(input), true}};
  if (input.is(TypeKind::kDecimal)) {
    buffer.push_back({"isEmpty", DataType{TypeKind::kBoolean}, false});
  }
  return buffer;
}

std::vector<Field> AverageBuffer(const DataType& input) {
  const DataType sum =
      input.is(TypeKind::kDecimal) ? SumOfDecimals(input) : DataType{TypeKind::kDouble};
  return {{"sum", sum, true}, {"count", DataType{TypeKind::kLong}, true}};
}

std::vector<Field> MomentBuffer(const DataType&) {
  const DataType type{TypeKind::kDouble};
  return {{"n", type, false}, {"avg", type, false}, {"m2", type, false}};
}

std::vector<Field> FirstBuffer(const DataType& input) {
  return {{"first", input, true}, {"valueSet", DataType{TypeKind::kBoolean}, false}};
}

std::vector<Field> LastBuffer(const DataType& input) {
  return {{"last", input, true}, {"valueSet", DataType{TypeKind::kBoolean}, false}};
}

std::vector<Field> MinBuffer(const DataType& input) { return {{"min", input, true}}; }
std::vector<Field> MaxBuffer(const DataType& input) { return {{"max", input, true}}; }

/// Collect.dataType.
DataType ArrayResult(const DataType& input) {
  const std::string name = JsonName(input);
  const bool is_object = name.starts_with('{');
  return {TypeKind::kOther, 0, 0,
          fmt::format(R"({{"type":"array","elementType":{},"containsNull":false}})",
                      is_object ? name : '"' + name + '"')};
}

/// TypedImperativeAggregate.aggBufferAttributes.
std::vector<Field> ObjectBuffer(const DataType&) {
  return {{"buf", DataType{TypeKind::kBinary}, true}};
}

/// Of which types a set's order is that of hashes which the core knows.
constexpr TypeSet kSetTypes = {kAllTypes.bits &
                               ~TypesOf({TypeKind::kBinary, TypeKind::kDecimal}).bits};
constexpr TypeSet kLongs = TypesOf({TypeKind::kLong});
constexpr TypeSet kDoubles = TypesOf({TypeKind::kDouble});
constexpr std::string_view kNoTry = "not in TRY mode";
constexpr std::string_view kNoWindow = "not in windows";
constexpr std::string_view kNoLegacy = "not with `spark.sql.legacy.statisticalAggregate`";

#define AGGREGATE "org.apache.spark.sql.catalyst.expressions.aggregate."

constexpr AggregateRow kAggregates[] = {
    {AGGREGATE "Count", "count", kAllTypes | kOpaqueTypes, false, CountResult, CountBuffer, ""},
    {AGGREGATE "Sum", "sum", kNumericTypes, true, SumResult, SumBuffer, kNoTry},
    {AGGREGATE "Average", "avg", kNumericTypes, true, AverageResult, AverageBuffer, kNoTry},
    {AGGREGATE "VariancePop", "var_pop", kDoubles, false, DoubleResult, MomentBuffer, kNoLegacy},
    {AGGREGATE "VarianceSamp", "var_samp", kDoubles, false, DoubleResult, MomentBuffer, kNoLegacy},
    {AGGREGATE "StddevPop", "stddev_pop", kDoubles, false, DoubleResult, MomentBuffer, kNoLegacy},
    {AGGREGATE "StddevSamp", "stddev_samp", kDoubles, false, DoubleResult, MomentBuffer, kNoLegacy},
    {AGGREGATE "First", "first", kAllTypes | kOpaqueTypes, false, SameResult, FirstBuffer, ""},
    {AGGREGATE "Last", "last", kAllTypes | kOpaqueTypes, false, SameResult, LastBuffer, ""},
    {AGGREGATE "CollectList", "collect_list", kAllTypes | kOpaqueTypes, false, ArrayResult,
     ObjectBuffer, kNoWindow, false},
    {AGGREGATE "CollectSet", "collect_set", kSetTypes, false, ArrayResult, ObjectBuffer, kNoWindow,
     false},
    {AGGREGATE "BloomFilterAggregate", "bloom_filter", kLongs, false, BinaryResult, ObjectBuffer,
     kNoWindow, false, 2},
    {AGGREGATE "Min", "min", kAllTypes, false, SameResult, MinBuffer, ""},
    {AGGREGATE "Max", "max", kAllTypes, false, SameResult, MaxBuffer, ""},
};

#undef AGGREGATE

}  // namespace

std::span<const AggregateRow> AggregateTable() { return kAggregates; }

const AggregateRow* FindAggregateClass(std::string_view class_name) {
  const auto* found = std::ranges::find(kAggregates, class_name, &AggregateRow::class_name);
  return found == std::end(kAggregates) ? nullptr : found;
}

const AggregateRow* FindAggregateFunction(std::string_view function) {
  const auto* found = std::ranges::find(kAggregates, function, &AggregateRow::function);
  return found == std::end(kAggregates) ? nullptr : found;
}

}  // namespace reprise
