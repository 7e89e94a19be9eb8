#include "operators/aggregate/hash_aggregate.h"

#include <cmath>
#include <map>
#include <random>

#include "operators/aggregate/aggregate_testing.h"

namespace reprise {
namespace {

using testing::AggregateOperator;
using testing::BatchOf;
using testing::BatchOfArrays;
using testing::Call;
using testing::ColumnOf;
using testing::Compute;
using testing::ExpectColumn;
using testing::Fields;
using testing::Function;
using testing::Good;
using testing::Literal;
using testing::RunAggregate;

struct TypedCase {
  std::string function;
  std::string type;
  std::string values;
  std::string expected;
};

std::vector<TypedCase> TypedCases() {
  return {
      {"count", "string", R"(["a", null, "b"])", "[2]"},
      {"sum", "byte", "[100, 100, null, 3]", "[203]"},
      {"sum", "short", "[32767, 1]", "[32768]"},
      {"sum", "integer", "[2147483647, 2147483647]", "[4294967294]"},
      {"sum", "long", "[-5, 7]", "[2]"},
      {"sum", "long", "[null, null]", "[null]"},
      {"sum", "float", "[0.1, 0.2]", "[0.30000000447034836]"},
      {"sum", "double", "[-0.0]", "[0.0]"},
      {"sum", "decimal(5,2)", R"(["1.25", null, "2.50"])", R"(["3.75"])"},
      {"sum", "decimal(38,2)", R"(["1.25", null, "2.50"])", R"(["3.75"])"},
      {"sum", "decimal(15,2)", "[null]", "[null]"},
      {"avg", "byte", "[1, null, 2]", "[1.5]"},
      {"avg", "long", "[9223372036854775807, 9223372036854775807, 3]", "[6148914691236517000]"},
      {"avg", "float", "[0.1, 0.2]", "[0.15000000223517418]"},
      {"avg", "double", "[null]", "[null]"},
      {"avg", "decimal(3,2)", R"(["1.00", "1.01", "1.01"])", R"(["1.006667"])"},
      {"avg", "decimal(15,2)", R"(["1.00", null, "-2.01"])", R"(["-0.505000"])"},
      {"avg", "decimal(38,0)", "[null]", "[null]"},
      {"min", "boolean", "[true, null, false]", "[false]"},
      {"max", "boolean", "[false, null, true]", "[true]"},
      {"min", "byte", "[3, -2, null]", "[-2]"},
      {"max", "short", "[3, -2, null]", "[3]"},
      {"min", "integer", "[3, -2, null]", "[-2]"},
      {"max", "long", "[-3, -2, null]", "[-2]"},
      {"max", "float", "[1.5, null, -2]", "[1.5]"},
      {"min", "double", "[1.5, null, -2]", "[-2]"},
      {"min", "date", "[19000, 5, null]", "[5]"},
      {"max", "timestamp", "[19000, 5, null]", "[19000]"},
      {"max", "timestamp_ntz", "[null]", "[null]"},
      {"min", "decimal(5,2)", R"(["1.25", null, "-2.50"])", R"(["-2.50"])"},
      {"max", "decimal(38,2)", R"(["1.25", null, "-2.50"])", R"(["1.25"])"},
      {"min", "string", R"(["b", null, "ab", "abc"])", R"(["ab"])"},
      {"max", "string", R"(["b", null, "é", "ab"])", R"(["é"])"},
      {"max", "string", R"(["", null])", R"([""])"},
      {"min", "binary", R"(["b", null, "a"])", R"(["a"])"},
      {"max", "binary", "[null]", "[null]"},
      {"var_pop", "double", "[1, null, 3, 8]", "[8.666666666666666]"},
      {"var_samp", "double", "[1, null, 3]", "[2]"},
      {"var_samp", "double", "[1]", "[null]"},
      {"stddev_pop", "double", "[1, 3]", "[1]"},
      {"stddev_samp", "double", "[4, null, 4]", "[0]"},
      {"first", "string", R"(["b", null, "a"])", R"(["b"])"},
      {"first", "long", "[null, 2]", "[null]"},
      {"first_not_null", "long", "[null, 2, 3]", "[2]"},
      {"first_not_null", "boolean", "[null, true]", "[true]"},
      {"last", "double", "[1, 2]", "[null]"},
      {"last_not_null", "decimal(38,2)", R"(["1.25", null, "2.50"])", R"(["2.50"])"},
      {"last_not_null", "string", R"(["b", "long text", "c", null])", R"(["c"])"},
  };
}

// Over all rows, in two batches: the values twice would change counts, so the second batch is nulls
// only.
TEST(HashAggregate, EveryFunctionOverEveryType) {
  for (const TypedCase& c : TypedCases()) {
    SCOPED_TRACE(c.function + " " + c.type + " " + c.values);
    const auto fields = Fields({"v " + c.type});
    const Function function{c.function, c.function == "count" ? "" : c.type};
    const std::vector<Batch> batches = {BatchOf(fields, {c.values}),
                                        BatchOf(fields, {"[null, null]"})};
    ExpectColumn(*Good(Compute(function, fields, {}, 0, batches)), 0, c.expected);

    // The same by a key, whose other group has nothing but nulls.
    const auto keyed = Fields({"k string", "v " + c.type});
    const auto values = testing::Values(c.type, c.values);
    const auto key = Good(arrow::MakeArrayFromScalar(arrow::StringScalar("x"), values->length()));
    const std::vector<Batch> keyed_batches = {BatchOfArrays(keyed, {key, values}),
                                              BatchOf(keyed, {R"(["y", "x"])", "[null, null]"})};
    auto rows = Good(Compute(function, keyed, {0}, 1, keyed_batches));
    ExpectColumn(*rows, 0, R"(["x", "y"])");
    const std::string empty = c.function == "count" ? "0" : "null";
    ExpectColumn(*rows, 1, c.expected.substr(0, c.expected.size() - 1) + ", " + empty + "]");
  }
}

std::shared_ptr<arrow::Array> Doubles(const std::vector<double>& values) {
  arrow::DoubleBuilder builder;
  EXPECT_TRUE(builder.AppendValues(values).ok());
  return *builder.Finish();
}

double OneDouble(const std::string& function, const std::vector<double>& values) {
  const auto fields = Fields({"v double"});
  auto rows = Good(
      Compute({function, "double"}, fields, {}, 0, {BatchOfArrays(fields, {Doubles(values)})}));
  return static_cast<const arrow::DoubleArray&>(*rows->column(0)).Value(0);
}

TEST(HashAggregate, DoublesInSparksOrder) {
  const double nan = std::nan("");
  EXPECT_TRUE(std::isnan(OneDouble("max", {1, nan, INFINITY})));
  EXPECT_EQ(OneDouble("min", {nan, 1, INFINITY}), 1);
  EXPECT_TRUE(std::isnan(OneDouble("min", {nan, nan})));
  EXPECT_FALSE(std::signbit(OneDouble("min", {0.0, -0.0})));
  EXPECT_TRUE(std::signbit(OneDouble("min", {-0.0, 0.0})));
  EXPECT_TRUE(std::signbit(OneDouble("max", {-0.0, 0.0})));
  EXPECT_FALSE(std::signbit(OneDouble("max", {0.0, -0.0})));
}

TEST(HashAggregate, DoublesAreAddedInRowOrder) {
  std::mt19937_64 random(42);
  std::vector<double> values(10000);
  for (double& value : values) value = std::ldexp(static_cast<double>(random()), -(random() % 90));
  double expected = 0;
  for (const double value : values) expected += value;
  EXPECT_EQ(OneDouble("sum", values), expected);
  EXPECT_EQ(OneDouble("avg", values), expected / 10000);
}

const std::vector<Field> kKeyedLongs = Fields({"k integer", "v long"});

TEST(HashAggregate, GroupsInOrderOfFirstAppearance) {
  auto spec = AggregateOperator(
      kKeyedLongs, {0}, {Function{"sum", "long"}.Over("complete", {ColumnOf(kKeyedLongs, 1)})},
      true);
  auto rows = Good(RunAggregate(spec, {BatchOf(kKeyedLongs, {"[3, null, 1, 3]", "[1, 2, 3, 4]"}),
                                       BatchOf(kKeyedLongs, {"[2, 1, null]", "[5, 6, null]"})}));
  ExpectColumn(*rows, 0, "[3, null, 1, 2]");
  ExpectColumn(*rows, 1, "[5, 2, 9, 5]");
}

TEST(HashAggregate, LooksOnlyAtSelectedRows) {
  auto spec = AggregateOperator(
      kKeyedLongs, {0}, {Function{"sum", "long"}.Over("complete", {ColumnOf(kKeyedLongs, 1)})},
      true);
  const Batch batch = BatchOf(kKeyedLongs, {"[3, 1, 3, 4]", "[1, 2, 4, 8]"});
  auto rows = Good(RunAggregate(
      spec, {testing::WithSelection(batch, {0, 2, 3}), testing::WithSelection(batch, {})}));
  ExpectColumn(*rows, 0, "[3, 4]");
  ExpectColumn(*rows, 1, "[5, 8]");
}

TEST(HashAggregate, AnEmptyInputHasOneGroupOnlyWithoutKeys) {
  const Function sum{"sum", "long"};
  const Function count{"count", ""};
  const Function avg{"avg", "decimal(15,2)"};
  const auto fields = Fields({"v long", "d decimal(15,2)"});
  const auto aggregates = [&](const std::string& mode) {
    return std::vector<nlohmann::json>{
        sum.Over(mode, {ColumnOf(fields, 0)}), count.Over(mode, {Literal("integer", 1)}),
        avg.Over(mode, {ColumnOf(fields, 1)}),
        Function{"sum", "decimal(15,2)"}.Over(mode, {ColumnOf(fields, 1)})};
  };
  auto rows = Good(RunAggregate(AggregateOperator(fields, {}, aggregates("complete"), true), {}));
  ExpectColumn(*rows, 0, "[null]");
  ExpectColumn(*rows, 1, "[0]");
  ExpectColumn(*rows, 2, "[null]");
  ExpectColumn(*rows, 3, "[null]");
  // Spark's initialValues: sum null, count 0, avg (0, 0), decimal sum (0, isEmpty).
  rows = Good(RunAggregate(AggregateOperator(fields, {}, aggregates("partial"), false), {}));
  ExpectColumn(*rows, 0, "[null]");
  ExpectColumn(*rows, 1, "[0]");
  ExpectColumn(*rows, 2, R"(["0.00"])");
  ExpectColumn(*rows, 3, "[0]");
  ExpectColumn(*rows, 4, R"(["0.00"])");
  ExpectColumn(*rows, 5, "[true]");
  rows = Good(RunAggregate(AggregateOperator(fields, {0}, aggregates("complete"), true), {}));
  EXPECT_EQ(rows->num_rows(), 0);
}

TEST(HashAggregate, CountsRowsWhereAllArgumentsAreThere) {
  const auto fields = Fields({"a integer", "b integer"});
  const Function count{"count", ""};
  const std::vector<nlohmann::json> aggregates = {
      count.Over("complete", {ColumnOf(fields, 0), ColumnOf(fields, 1)}),
      count.Over("complete", {ColumnOf(fields, 0)}),
      count.Over("complete", {Literal("integer", 1)}),
      count.Over("complete", {Literal("integer", nullptr)}),
  };
  const Batch batch = BatchOf(fields, {"[1, 1, null]", "[null, 2, null]"});
  for (const auto& keys : {std::vector<int>{}, std::vector<int>{0}}) {
    auto rows = Good(RunAggregate(AggregateOperator(fields, keys, aggregates, true), {batch}));
    const int first = static_cast<int>(keys.size());
    ExpectColumn(*rows, first, keys.empty() ? "[1]" : "[1, 0]");
    ExpectColumn(*rows, first + 1, keys.empty() ? "[2]" : "[2, 0]");
    ExpectColumn(*rows, first + 2, keys.empty() ? "[3]" : "[2, 1]");
    ExpectColumn(*rows, first + 3, keys.empty() ? "[0]" : "[0, 0]");
  }
}

TEST(HashAggregate, FiltersGuardTheirArguments) {
  const auto fields = Fields({"k integer", "v long"});
  const auto above_zero = Call("greater", "boolean", {ColumnOf(fields, 1), Literal("long", 0)});
  const auto divided = Call("integral_divide", "long", {Literal("long", 100), ColumnOf(fields, 1)});
  const std::vector<nlohmann::json> aggregates = {
      Function{"sum", "long"}.Over("complete", {divided}, &above_zero),
      Function{"count", ""}.Over("complete", {Literal("integer", 1)}, &above_zero),
      Function{"count", ""}.Over("complete", {Literal("integer", 1)}),
  };
  const Batch batch = BatchOf(fields, {"[1, 1, 2, 2, 1]", "[5, 0, null, 0, 10]"});
  auto rows = Good(RunAggregate(AggregateOperator(fields, {0}, aggregates, true), {batch}));
  ExpectColumn(*rows, 0, "[1, 2]");
  ExpectColumn(*rows, 1, "[30, null]");
  ExpectColumn(*rows, 2, "[2, 0]");
  ExpectColumn(*rows, 3, "[3, 2]");
  rows = Good(RunAggregate(AggregateOperator(fields, {}, aggregates, true), {batch}));
  ExpectColumn(*rows, 0, "[30]");
  ExpectColumn(*rows, 1, "[2]");

  // Without the filter the same argument fails, under the operator's name.
  const auto unguarded =
      AggregateOperator(fields, {0}, {Function{"sum", "long"}.Over("complete", {divided})}, true);
  const Status status = RunAggregate(unguarded, {batch}).status();
  EXPECT_TRUE(status.message().starts_with("RepriseHashAggregate (LORE id 7): "))
      << status.message();
  ASSERT_NE(SparkErrorOf(status), nullptr);
  EXPECT_EQ(SparkErrorOf(status)->condition(), "DIVIDE_BY_ZERO");
}

TEST(HashAggregate, EvaluatesResultsOverKeysAndFunctions) {
  auto spec = AggregateOperator(
      kKeyedLongs, {0}, {Function{"sum", "long"}.Over("complete", {ColumnOf(kKeyedLongs, 1)})},
      true);
  const auto fields = Fields({"key integer", "result long"});
  spec.arguments["results"] = {
      ToJson(Call("add", "long", {ColumnOf(fields, 1), Literal("long", 100)})),
      ToJson(ColumnOf(fields, 0))};
  spec.output = Fields({"x long", "y integer"});
  auto rows = Good(RunAggregate(spec, {BatchOf(kKeyedLongs, {"[3, 1, 3]", "[1, 2, 4]"})}));
  ExpectColumn(*rows, 0, "[105, 102]");
  ExpectColumn(*rows, 1, "[3, 1]");
}

TEST(HashAggregate, WithoutAggregatesItYieldsTheKeys) {
  const Batch batch = BatchOf(kKeyedLongs, {"[3, 1, 3, null, null]", "[1, 2, 1, null, 5]"});
  for (const bool evaluates : {false, true}) {
    auto rows = Good(RunAggregate(AggregateOperator(kKeyedLongs, {0, 1}, {}, evaluates), {batch}));
    ExpectColumn(*rows, 0, "[3, 1, null, null]");
    ExpectColumn(*rows, 1, "[1, 2, null, 5]");
  }
}

// count(DISTINCT v), sum(v) by k, in the four steps that Spark plans
// (AggUtils.planAggregateWithOneDistinct).
TEST(HashAggregate, DistinctMixesModes) {
  const Function sum{"sum", "long"};
  const Function count{"count", ""};
  const std::vector<Batch> batches = {
      BatchOf(kKeyedLongs, {"[1, 1, 2, 1, 2]", "[5, 5, 5, null, 7]"}),
      BatchOf(kKeyedLongs, {"[2, 1, 3]", "[7, 6, null]"})};
  const auto first = AggregateOperator(kKeyedLongs, {0, 1},
                                       {sum.Over("partial", {ColumnOf(kKeyedLongs, 1)})}, false);
  std::vector<Batch> partials;
  for (const Batch& batch : batches)
    partials.push_back(ToBatch(Good(RunAggregate(first, {batch}))));
  const auto second =
      AggregateOperator(first.output, {0, 1}, {sum.OverBuffer("partial_merge", 2)}, false);
  const Batch distinct = ToBatch(Good(RunAggregate(second, partials)));
  const auto third = AggregateOperator(
      second.output, {0},
      {sum.OverBuffer("partial_merge", 2), count.Over("partial", {ColumnOf(second.output, 1)})},
      false);
  const Batch mixed = ToBatch(Good(RunAggregate(third, {distinct})));
  const auto fourth = AggregateOperator(
      third.output, {0}, {sum.OverBuffer("final", 1), count.OverBuffer("final", 2)}, true);
  auto rows = Good(RunAggregate(fourth, {mixed}));
  ExpectColumn(*rows, 0, "[1, 2, 3]");
  ExpectColumn(*rows, 1, "[16, 19, null]");
  ExpectColumn(*rows, 2, "[2, 2, 0]");
}

TEST(HashAggregate, LongSumsOverflowAsSparksDo) {
  const auto fields = Fields({"k integer", "v long"});
  const std::vector<Batch> batches = {BatchOf(fields, {"[1]", "[9223372036854775807]"}),
                                      BatchOf(fields, {"[1]", "[1]"})};
  for (const auto& keys : {std::vector<int>{}, std::vector<int>{0}}) {
    const Status status = Compute({"sum", "long", true}, fields, keys, 1, batches).status();
    EXPECT_EQ(
        status.message(),
        "RepriseHashAggregate (LORE id 7): long overflow. Use 'try_add' to tolerate overflow "
        "and return NULL instead. If necessary set \"spark.sql.ansi.enabled\" to \"false\" to "
        "bypass this error.");
    ASSERT_NE(SparkErrorOf(status), nullptr);
    EXPECT_EQ(SparkErrorOf(status)->condition(), "ARITHMETIC_OVERFLOW");
    auto rows = Good(Compute({"sum", "long", false}, fields, keys, 1, batches));
    ExpectColumn(*rows, static_cast<int>(keys.size()), "[-9223372036854775808]");
  }
}

TEST(HashAggregate, ManyGroupsLeaveInBoundedBatches) {
  constexpr int kRows = 300'000;
  constexpr int kGroups = 100'000;
  std::vector<Batch> batches;
  for (int begin = 0; begin < kRows; begin += 10'000) {
    arrow::Int32Builder keys;
    arrow::Int64Builder values;
    for (int row = begin; row < begin + 10'000; ++row) {
      ASSERT_TRUE(keys.Append(static_cast<int32_t>((row * 7919LL) % kGroups)).ok());
      ASSERT_TRUE(values.Append(row).ok());
    }
    batches.push_back(BatchOfArrays(kKeyedLongs, {*keys.Finish(), *values.Finish()}));
  }
  TaskContext context;
  context.batch_rows_target = 30'000;
  auto spec = AggregateOperator(
      kKeyedLongs, {0}, {Function{"sum", "long"}.Over("complete", {ColumnOf(kKeyedLongs, 1)})},
      true);
  auto aggregate = Good(
      MakeOperator(spec, testing::SourceOf(kKeyedLongs, std::move(batches), context), context));
  std::vector<int64_t> sizes;
  std::map<int32_t, int64_t> sums;
  int64_t row = 0;
  while (auto batch = Good(aggregate->Next())) {
    sizes.push_back(batch->row_count);
    const auto& keys = static_cast<const arrow::Int32Array&>(*batch->columns[0]);
    const auto& values = static_cast<const arrow::Int64Array&>(*batch->columns[1]);
    for (int64_t i = 0; i < batch->row_count; ++i, ++row) {
      ASSERT_EQ(keys.Value(i), (row * 7919) % kGroups);  // order of first appearance
      sums[keys.Value(i)] = values.Value(i);
    }
  }
  EXPECT_EQ(sizes, (std::vector<int64_t>{30'000, 30'000, 30'000, 10'000}));
  ASSERT_EQ(sums.size(), static_cast<size_t>(kGroups));
  std::map<int32_t, int64_t> expected;
  for (int64_t i = 0; i < kRows; ++i) expected[static_cast<int32_t>((i * 7919) % kGroups)] += i;
  EXPECT_EQ(sums, expected);
  EXPECT_GT(aggregate->metrics().extra.at(0), kGroups * 8);  // peak memory
}

TEST(HashAggregate, GivesItsMemoryBack) {
  arrow::ProxyMemoryPool pool(arrow::default_memory_pool());
  TaskContext context;
  context.pool = &pool;
  auto spec = AggregateOperator(
      kKeyedLongs, {0}, {Function{"sum", "long"}.Over("complete", {ColumnOf(kKeyedLongs, 1)})},
      true);
  auto aggregate = Good(MakeOperator(
      spec,
      testing::SourceOf(kKeyedLongs, {BatchOf(kKeyedLongs, {"[3, 1, 3]", "[1, 2, 4]"})}, context),
      context));
  std::optional<Batch> batch = Good(aggregate->Next());
  EXPECT_FALSE(Good(aggregate->Next()).has_value());
  // Only the batch is left, and it outlives the operator.
  EXPECT_LT(pool.bytes_allocated(), 1024);
  aggregate.reset();
  ExpectColumn(*Good(ToRecordBatch(*batch, &pool)), 1, "[5, 2]");
  batch.reset();
  EXPECT_EQ(pool.bytes_allocated(), 0);
}

}  // namespace
}  // namespace reprise
