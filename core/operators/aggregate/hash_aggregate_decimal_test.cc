// Overflow of decimal sums and averages. The expected outcomes are those of Spark 4.1.3; see
// decimal_sum_accumulator.cc for why keys matter.
#include "operators/aggregate/aggregate_testing.h"

namespace reprise {
namespace {

using testing::AggregateOperator;
using testing::BatchOf;
using testing::ColumnOf;
using testing::ExpectColumn;
using testing::Fields;
using testing::Function;
using testing::Good;
using testing::RunAggregate;

const std::vector<Field> kKeyedDecimals = Fields({"k integer", "v decimal(38,0)"});
const std::string kHuge = "90000000000000000000000000000000000000";  // 9e37

// Values of group 1, one batch.
Batch DecimalsOf(const std::vector<std::string>& values) {
  std::string keys, texts;
  for (const std::string& value : values) {
    keys += keys.empty() ? "1" : ",1";
    texts += (texts.empty() ? "\"" : ",\"") + value + "\"";
  }
  return BatchOf(kKeyedDecimals, {"[" + keys + "]", "[" + texts + "]"});
}

// The result column over partial aggregates of the batches, or the error's condition.
std::string ResultOrCondition(const std::string& function, bool keyed, bool ansi,
                              const std::vector<Batch>& batches, bool complete = false) {
  const Function f{function, "decimal(38,0)", ansi};
  const std::vector<int> keys = keyed ? std::vector<int>{0} : std::vector<int>{};
  const int column = static_cast<int>(keys.size());
  Result<std::shared_ptr<arrow::RecordBatch>> rows = nullptr;
  if (complete) {
    rows =
        RunAggregate(AggregateOperator(kKeyedDecimals, keys,
                                       {f.Over("complete", {ColumnOf(kKeyedDecimals, 1)})}, true),
                     batches);
  } else {
    const auto partial = AggregateOperator(
        kKeyedDecimals, keys, {f.Over("partial", {ColumnOf(kKeyedDecimals, 1)})}, false);
    std::vector<Batch> buffers;
    for (const Batch& batch : batches) {
      buffers.push_back(ToBatch(Good(RunAggregate(partial, {batch}))));
    }
    rows = RunAggregate(
        AggregateOperator(partial.output, keys, {f.OverBuffer("final", column)}, true), buffers);
  }
  if (!rows.ok()) return SparkErrorOf(rows.status())->condition();
  return (*(*rows)->column(column)->GetScalar(0))->ToString();
}

TEST(HashAggregateDecimal, AnOverflowingPartialSumIsNull) {
  for (const bool keyed : {false, true}) {
    const Batch batch = DecimalsOf({kHuge, kHuge});
    const auto partial = AggregateOperator(
        kKeyedDecimals, keyed ? std::vector<int>{0} : std::vector<int>{},
        {Function{"sum", "decimal(38,0)"}.Over("partial", {ColumnOf(kKeyedDecimals, 1)}),
         Function{"avg", "decimal(38,0)"}.Over("partial", {ColumnOf(kKeyedDecimals, 1)})},
        false);
    auto rows = Good(RunAggregate(partial, {batch}));
    ExpectColumn(*rows, keyed + 0, "[null]");
    ExpectColumn(*rows, keyed + 1, "[false]");
    ExpectColumn(*rows, keyed + 2, "[null]");
    ExpectColumn(*rows, keyed + 3, "[2]");
    EXPECT_EQ(ResultOrCondition("sum", keyed, true, {batch}), "ARITHMETIC_OVERFLOW");
    EXPECT_EQ(ResultOrCondition("avg", keyed, true, {batch}), "ARITHMETIC_OVERFLOW");
    EXPECT_EQ(ResultOrCondition("sum", keyed, false, {batch}), "null");
    EXPECT_EQ(ResultOrCondition("avg", keyed, false, {batch}), "null");
    // Nothing that comes later helps.
    EXPECT_EQ(ResultOrCondition("sum", keyed, false, {batch, DecimalsOf({"-" + kHuge, "-1"})}),
              "null");
  }
}

TEST(HashAggregateDecimal, AnOverflowInTheMiddleCountsOnlyWithKeys) {
  const Batch batch = DecimalsOf({kHuge, kHuge, "-" + kHuge});
  EXPECT_EQ(ResultOrCondition("sum", false, true, {batch}), kHuge);
  EXPECT_EQ(ResultOrCondition("sum", true, true, {batch}), "ARITHMETIC_OVERFLOW");
  EXPECT_EQ(ResultOrCondition("sum", true, false, {batch}), "null");
  // 2.7e38 does not even fit 128 bits.
  EXPECT_EQ(ResultOrCondition("sum", false, true,
                              {DecimalsOf({kHuge, kHuge, kHuge, "-" + kHuge, "-" + kHuge})}),
            kHuge);
  EXPECT_EQ(
      ResultOrCondition("sum", false, true,
                        {DecimalsOf({"-" + kHuge, "-" + kHuge, "-" + kHuge, kHuge, kHuge, "5"})}),
      "-89999999999999999999999999999999999995");
}

TEST(HashAggregateDecimal, WhereBuffersAreNoUnsafeRowsOnlyTheLastSumCounts) {
  const Function sum{"sum", "decimal(38,0)", true};
  for (const bool bounded : {false, true}) {
    for (const bool keyed : {false, true}) {
      OperatorSpec spec =
          AggregateOperator(kKeyedDecimals, keyed ? std::vector<int>{0} : std::vector<int>{},
                            {sum.Over("complete", {ColumnOf(kKeyedDecimals, 1)})}, true);
      spec.arguments["boundedSums"] = bounded;
      const auto rows = RunAggregate(spec, {DecimalsOf({kHuge, kHuge, "-" + kHuge})});
      ASSERT_EQ(rows.ok(), !bounded);
      if (!bounded) ExpectColumn(**rows, keyed, "[\"" + kHuge + "\"]");
    }
  }
}

TEST(HashAggregateDecimal, EarlierBatchesCountTowardsAnOverflow) {
  // Ten values of 37 digits could be too many: from then on magnitudes are looked at.
  const auto fields = Fields({"k integer", "v decimal(37,0)"});
  const auto batch = [&](int rows, const std::string& value) {
    std::string keys = "[1", texts = "[\"" + value + "\"";
    for (int i = 1; i < rows; ++i) {
      keys += ",1";
      texts += ",\"" + value + "\"";
    }
    return BatchOf(fields, {keys + "]", texts + "]"});
  };
  const std::string nines(37, '9');
  const std::string small = "1" + std::string(36, '0');
  const auto sum = [&](const std::vector<Batch>& batches) {
    const auto spec = AggregateOperator(
        fields, {0},
        {Function{"sum", "decimal(37,0)", false}.Over("complete", {ColumnOf(fields, 1)})}, true);
    return (*Good(RunAggregate(spec, batches))->column(1)->GetScalar(0))->ToString();
  };
  // 9 * (10^37 - 1) + 20 * 10^36 is above 10^38, even where later values bring it back.
  EXPECT_EQ(sum({batch(9, nines), batch(20, small), batch(9, "-" + nines)}), "null");
  EXPECT_EQ(sum({batch(9, nines), batch(9, small), batch(9, "-" + nines)}),
            "9" + std::string(36, '0'));
}

TEST(HashAggregateDecimal, MergedSumsThatAreTooLarge) {
  const std::vector<Batch> batches = {DecimalsOf({kHuge}), DecimalsOf({kHuge})};
  EXPECT_EQ(ResultOrCondition("sum", true, true, batches), "ARITHMETIC_OVERFLOW");
  EXPECT_EQ(ResultOrCondition("sum", false, true, batches),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION");
  EXPECT_EQ(ResultOrCondition("sum", false, false, batches), "null");
  EXPECT_EQ(ResultOrCondition("sum", false, true, batches, true),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION");
}

TEST(HashAggregateDecimal, AveragesThatAreTooLargeForTheirType) {
  // decimal(38,0) averages as decimal(38,4): four digits fewer before the point.
  EXPECT_EQ(ResultOrCondition("avg", true, true, {DecimalsOf({kHuge})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION");
  EXPECT_EQ(ResultOrCondition("avg", true, false, {DecimalsOf({kHuge})}), "null");
  EXPECT_EQ(ResultOrCondition("avg", false, true, {DecimalsOf({"1", "2"}), DecimalsOf({"5"})}),
            "2.6667");
}

TEST(HashAggregateDecimal, ErrorsSayWhatSparkSays) {
  const auto spec = AggregateOperator(
      kKeyedDecimals, {},
      {Function{"sum", "decimal(38,0)"}.Over("complete", {ColumnOf(kKeyedDecimals, 1)})}, true);
  const Status status = RunAggregate(spec, {DecimalsOf({kHuge, kHuge})}).status();
  ASSERT_NE(SparkErrorOf(status), nullptr);
  EXPECT_EQ(SparkErrorOf(status)->parameters(),
            (SparkErrorDetail::Parameters{{"value", "180000000000000000000000000000000000000"},
                                          {"precision", "38"},
                                          {"scale", "0"},
                                          {"config", "\"spark.sql.ansi.enabled\""}}));
  const auto keyed = AggregateOperator(
      kKeyedDecimals, {0},
      {Function{"avg", "decimal(38,0)"}.Over("complete", {ColumnOf(kKeyedDecimals, 1)})}, true);
  const Status overflow = RunAggregate(keyed, {DecimalsOf({kHuge, kHuge})}).status();
  ASSERT_NE(SparkErrorOf(overflow), nullptr);
  EXPECT_EQ(SparkErrorOf(overflow)->parameters(),
            (SparkErrorDetail::Parameters{
                {"message", "Overflow in sum of decimals"},
                {"alternative", " Use 'try_avg' to tolerate overflow and return NULL instead."},
                {"config", "\"spark.sql.ansi.enabled\""}}));
}

}  // namespace
}  // namespace reprise
