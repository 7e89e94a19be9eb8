#include "operators/sort.h"

#include "operators/fixed_memory.h"
#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::BatchOfArrays;
using testing::ColumnOf;
using testing::Drain;
using testing::ExpectColumn;
using testing::Fields;
using testing::Good;

nlohmann::json Order(const std::vector<Field>& fields, int column, bool ascending = true,
                     bool nulls_first = true) {
  return {{"expression", ToJson(ColumnOf(fields, column))},
          {"ascending", ascending},
          {"nullsFirst", nulls_first}};
}

OperatorSpec Spec(const char* kind, const std::vector<Field>& fields, nlohmann::json arguments) {
  return {kind, "Reprise", 0, "", "", fields, {fields}, std::move(arguments)};
}

std::shared_ptr<arrow::RecordBatch> RunAll(const OperatorSpec& spec, std::vector<Batch> batches,
                                           const TaskContext& context) {
  auto made = Good(
      MakeOperator(spec, testing::SourceOf(spec.inputs[0], std::move(batches), context), context));
  return Good(Drain(made.get()));
}

void ExpectSorted(const char* type, const char* values, bool ascending, bool nulls_first,
                  const char* expected) {
  const auto fields = Fields({std::string("a ") + type});
  TaskContext context;
  const auto rows =
      RunAll(Spec("sort", fields, {{"ordering", {Order(fields, 0, ascending, nulls_first)}}}),
             {BatchOf(fields, {values})}, context);
  SCOPED_TRACE(type);
  ExpectColumn(*rows, 0, expected);
}

TEST(Sort, KeysBehindTheOutputsColumnsGoNoFurther) {
  const auto fields = Fields({"a integer", "key integer"});
  TaskContext context;
  OperatorSpec spec = Spec("sort", fields, {{"ordering", {Order(fields, 1)}}});
  spec.output = Fields({"a integer"});
  const auto rows = RunAll(spec, {BatchOf(fields, {"[1, 2, 3]", "[30, 10, 20]"})}, context);
  EXPECT_EQ(rows->num_columns(), 1);
  ExpectColumn(*rows, 0, "[2, 3, 1]");
}

TEST(Sort, OrdersEveryTypeAsSparkDoes) {
  ExpectSorted("integer", "[3, null, -1, 2]", true, true, "[null, -1, 2, 3]");
  ExpectSorted("integer", "[3, null, -1, 2]", true, false, "[-1, 2, 3, null]");
  ExpectSorted("integer", "[3, null, -1, 2]", false, true, "[null, 3, 2, -1]");
  ExpectSorted("long", "[3, null, -9223372036854775808, 2]", false, false,
               "[3, 2, -9223372036854775808, null]");
  ExpectSorted("byte", "[3, null, -128, 127]", true, true, "[null, -128, 3, 127]");
  ExpectSorted("boolean", "[true, null, false]", true, true, "[null, false, true]");
  ExpectSorted("double", "[NaN, 1.5, -Inf, null, Inf, -2.5]", true, true,
               "[null, -Inf, -2.5, 1.5, Inf, NaN]");
  ExpectSorted("float", "[NaN, 1.5, -Inf, null]", false, false, "[NaN, 1.5, -Inf, null]");
  ExpectSorted("date", "[5, -5, null]", true, true, "[null, -5, 5]");
  ExpectSorted("decimal(10,2)", R"(["1.50", "-3.00", null])", true, true,
               R"([null, "-3.00", "1.50"])");
  ExpectSorted("decimal(38,0)",
               R"(["99999999999999999999999999999999999999", "-1", null, "12345678901234567890"])",
               false, true,
               R"([null, "99999999999999999999999999999999999999", "12345678901234567890", "-1"])");
  ExpectSorted("string", R"(["b", "", null, "a", "ab", "a\u0000b", "\u00e9"])", true, true,
               R"([null, "", "a", "a\u0000b", "ab", "b", "\u00e9"])");
  ExpectSorted("string", R"(["b", "", null, "a long string that has a tail",
                            "a long string that has a tail too"])",
               false, false,
               R"(["b", "a long string that has a tail too", "a long string that has a tail", "",
                   null])");
}

TEST(Sort, NegativeZeroEqualsZeroAndEqualRowsKeepTheirOrder) {
  const auto fields = Fields({"a double", "n integer"});
  TaskContext context;
  const auto rows = RunAll(Spec("sort", fields, {{"ordering", {Order(fields, 0)}}}),
                           {BatchOf(fields, {"[0.0, -0.0, -1.0]", "[1, 2, 3]"}),
                            BatchOf(fields, {"[-0.0, 0.0]", "[4, 5]"})},
                           context);
  ExpectColumn(*rows, 1, "[3, 1, 2, 4, 5]");
}

// What Spark's SortExec gives for these rows.
TEST(Sort, NullsMoveRowsWithEqualKeysWhereOneKeyIsShort) {
  const auto fields = Fields({"k integer", "n integer", "s string"});
  const std::vector<Batch> batches = {
      BatchOf(fields, {"[1, 1, null, 2, 1]", "[0, 1, 2, 3, 4]", R"(["b", "b", null, "a", "b"])"}),
      BatchOf(fields, {"[null, 2, 2, null, 1, 3, null]", "[5, 6, 7, 8, 9, 10, 11]",
                       R"([null, "a", "a", null, "b", "c", null])"})};
  TaskContext context;
  const auto order_of = [&](nlohmann::json ordering, const char* expected) {
    const auto spec = Spec("sort", fields, {{"ordering", std::move(ordering)}});
    ExpectColumn(*RunAll(spec, batches, context), 1, expected);
  };
  order_of({Order(fields, 0)}, "[2, 5, 8, 11, 4, 1, 0, 9, 6, 7, 3, 10]");
  order_of({Order(fields, 0, false, false)}, "[10, 6, 7, 3, 4, 1, 0, 9, 2, 5, 8, 11]");
  order_of({Order(fields, 2)}, "[2, 5, 8, 11, 3, 6, 7, 0, 1, 4, 9, 10]");
  order_of({Order(fields, 0), Order(fields, 2)}, "[2, 5, 8, 11, 0, 1, 4, 9, 3, 6, 7, 10]");
}

TEST(Sort, TakesSelectionsDictionariesAndSeveralKeys) {
  const auto fields = Fields({"s string", "a integer"});
  const Batch first = testing::WithSelection(
      BatchOfArrays(fields, {testing::Encoded("[1, 0, 1, null]", R"(["x", "y"])"),
                             testing::Values("integer", "[1, 2, 3, 4]")}),
      {0, 1, 3});
  TaskContext context;
  const auto rows =
      RunAll(Spec("sort", fields, {{"ordering", {Order(fields, 0, false), Order(fields, 1)}}}),
             {first, BatchOf(fields, {R"(["y", "z"])", "[0, 9]"})}, context);
  ExpectColumn(*rows, 0, R"([null, "z", "y", "y", "x"])");
  ExpectColumn(*rows, 1, "[4, 9, 0, 1, 2]");
}

TEST(Sort, EmptyInputsGiveNothing) {
  const auto fields = Fields({"a integer"});
  TaskContext context;
  EXPECT_EQ(
      RunAll(Spec("sort", fields, {{"ordering", {Order(fields, 0)}}}), {}, context)->num_rows(), 0);
}

TEST(Sort, SpilledRunsMergeToTheSame) {
  const auto fields = Fields({"k integer", "s string", "n long"});
  std::vector<Batch> batches;
  uint32_t state = 1;
  for (int b = 0; b < 60; ++b) {
    std::string keys = "[", texts = "[", numbers = "[";
    for (int i = 0; i < 1000; ++i) {
      state = state * 1664525 + 1013904223;
      const char* comma = i == 0 ? "" : ",";
      keys += fmt::format("{}{}", comma,
                          state % 17 == 0 ? std::string("null") : std::to_string(state >> 20));
      texts += fmt::format("{}\"text of some length {}\"", comma, state % 1000);
      numbers += fmt::format("{}{}", comma, b * 1000 + i);
    }
    batches.push_back(BatchOf(fields, {keys + "]", texts + "]", numbers + "]"}));
  }
  const OperatorSpec spec =
      Spec("sort", fields, {{"ordering", {Order(fields, 0), Order(fields, 1, false)}}});
  TaskContext unlimited;
  const auto expected = RunAll(spec, batches, unlimited);

  FixedMemory grant(2 << 20);
  TaskMemory::Options options;
  options.over_commit_bytes = 8 << 20;
  TaskMemory memory(&grant, options);
  {
    TaskContext limited;
    limited.pool = &memory;
    limited.memory = &memory;
    auto sort = Good(MakeOperator(spec, testing::SourceOf(fields, batches, limited), limited));
    const auto merged = Good(Drain(sort.get()));
    EXPECT_GT(sort->metrics().spilled_disk_bytes, 0);
    EXPECT_TRUE(merged->Equals(*expected));
  }
  EXPECT_EQ(memory.bytes_allocated(), 0);
}

TEST(TakeOrdered, KeepsTheFirstRowsOfAllBatches) {
  const auto fields = Fields({"a integer", "s string"});
  std::vector<Batch> batches;
  for (int b = 0; b < 50; ++b) {
    std::string values = "[", texts = "[";
    for (int i = 0; i < 100; ++i) {
      values += fmt::format("{}{}", i == 0 ? "" : ",", (b * 100 + i) * 7919 % 5000);
      texts += fmt::format("{}\"{}\"", i == 0 ? "" : ",", (b * 100 + i) * 7919 % 5000);
    }
    batches.push_back(BatchOf(fields, {values + "]", texts + "]"}));
  }
  TaskContext context;
  context.batch_rows_target = 64;
  const auto rows = RunAll(Spec("take_ordered", fields,
                                {{"ordering", {Order(fields, 0, false)}},
                                 {"limit", 5},
                                 {"offset", 2},
                                 {"project", nullptr}}),
                           batches, context);
  ExpectColumn(*rows, 0, "[4997, 4996, 4995]");
  ExpectColumn(*rows, 1, R"(["4997", "4996", "4995"])");
}

TEST(TakeOrdered, ProjectsWhatIsLeftAndTakesLimitsOfNoneAndTooMany) {
  const auto fields = Fields({"a integer"});
  OperatorSpec spec =
      Spec("take_ordered", fields,
           {{"ordering", {Order(fields, 0)}},
            {"limit", 10},
            {"offset", 1},
            {"project",
             {ToJson(testing::Call("add", "integer",
                                   {ColumnOf(fields, 0), testing::Literal("integer", 1)}))}}});
  TaskContext context;
  ExpectColumn(*RunAll(spec, {BatchOf(fields, {"[3, null, 1]"})}, context), 0, "[2, 4]");
  spec.arguments["offset"] = 7;
  EXPECT_EQ(RunAll(spec, {BatchOf(fields, {"[3, null, 1]"})}, context)->num_rows(), 0);
  spec.arguments["limit"] = 0;
  spec.arguments["offset"] = 0;
  EXPECT_EQ(RunAll(spec, {BatchOf(fields, {"[3, null, 1]"})}, context)->num_rows(), 0);
}

TEST(Limit, CutsBatchesAndSelectionsAndStopsPulling) {
  const auto fields = Fields({"a integer"});
  const std::vector<Batch> batches = {
      BatchOf(fields, {"[1, 2, 3]"}),
      testing::WithSelection(BatchOf(fields, {"[0, 4, 0, 5, 6]"}), {1, 3, 4}),
      BatchOf(fields, {"[7]"})};
  TaskContext context;
  const auto limited = [&](int limit, int offset) {
    return RunAll(Spec("limit", fields, {{"limit", limit}, {"offset", offset}}), batches, context);
  };
  ExpectColumn(*limited(5, 0), 0, "[1, 2, 3, 4, 5]");
  ExpectColumn(*limited(5, 4), 0, "[5]");
  ExpectColumn(*limited(-1, 5), 0, "[6, 7]");
  ExpectColumn(*limited(100, 1), 0, "[2, 3, 4, 5, 6, 7]");
  EXPECT_EQ(limited(0, 0)->num_rows(), 0);
  EXPECT_EQ(limited(3, 3)->num_rows(), 0);
  auto inputs = testing::SourceOf(fields, batches, context);
  const Operator* source = inputs[0].get();
  auto limit = Good(MakeOperator(Spec("limit", fields, {{"limit", 2}, {"offset", 0}}),
                                 std::move(inputs), context));
  EXPECT_EQ(Good(Drain(limit.get()))->num_rows(), 2);
  EXPECT_EQ(source->metrics().output_batches, 1);
}

TEST(Expand, GivesEachRowOnceForEveryProjection) {
  const auto fields = Fields({"a integer"});
  OperatorSpec spec = Spec("expand", fields, {});
  spec.output = Fields({"a integer", "g integer"});
  spec.arguments["projections"] = {
      {ToJson(ColumnOf(fields, 0)), ToJson(testing::Literal("integer", 0))},
      {ToJson(testing::Literal("integer", nullptr)), ToJson(testing::Literal("integer", 1))}};
  TaskContext context;
  const auto rows = RunAll(spec, {BatchOf(fields, {"[5, 6]"}), BatchOf(fields, {"[7]"})}, context);
  ExpectColumn(*rows, 0, "[5, 6, null, null, 7, null]");
  ExpectColumn(*rows, 1, "[0, 0, 1, 1, 0, 1]");
}

TEST(Expand, GivesAllProjectionsOfARowTogetherWhereItsOrderIsSeen) {
  const auto fields = Fields({"a integer", "s string"});
  OperatorSpec spec = Spec("expand", fields, {{"ordered", true}});
  spec.output = Fields({"v string", "g integer"});
  spec.arguments["projections"] = {
      {ToJson(ColumnOf(fields, 1)), ToJson(ColumnOf(fields, 0))},
      {ToJson(testing::Literal("string", nullptr)), ToJson(testing::Literal("integer", 1))},
      {ToJson(testing::Literal("string", "x")), ToJson(testing::Literal("integer", nullptr))}};
  for (const int64_t batch_rows : {1, 2, 7, 1000}) {
    TaskContext context;
    context.batch_rows_target = batch_rows;
    const auto rows = RunAll(spec,
                             {BatchOf(fields, {"[5, 6, 8]", R"(["a", null, "b"])"}),
                              BatchOf(fields, {"[]", "[]"}), BatchOf(fields, {"[7]", R"([""])"})},
                             context);
    ExpectColumn(*rows, 0, R"(["a", null, "x", null, null, "x", "b", null, "x", "", null, "x"])");
    ExpectColumn(*rows, 1, "[5, 1, null, 6, 1, null, 8, 1, null, 7, 1, null]");
  }
}

TEST(SmallOperators, RefuseMalformedSpecs) {
  const auto fields = Fields({"a integer"});
  TaskContext context;
  const auto message = [&](const OperatorSpec& spec) {
    return MakeOperator(spec, testing::SourceOf(fields, {}, context), context).status().message();
  };
  EXPECT_EQ(message(Spec("sort", fields, {{"ordering", nlohmann::json::array()}})),
            "Reprise: \"ordering\" must be an array of at least one key");
  EXPECT_EQ(message(Spec("limit", fields, {{"limit", -2}, {"offset", 0}})),
            "Reprise: \"limit\" -2 must be -1 or more, \"offset\" 0 not negative");
  OperatorSpec fewer = Spec("limit", fields, {{"limit", 1}, {"offset", 0}});
  fewer.output.clear();
  EXPECT_EQ(message(fewer), "Reprise: its output has 0 columns, its input 1");
}

}  // namespace
}  // namespace reprise
