// Every operator that evaluates expressions: rows before an error leave first, and of several
// errors the one is told that Spark, which goes row by row, meets first.
// Long because the expressions that fail, at its top, serve every test below.
#include <gtest/gtest.h>

#include "operators/aggregate/aggregate_testing.h"
#include "operators/join/join_testing.h"

namespace reprise::testing {
namespace {

const std::vector<Field> kXs = Fields({"x integer"});
const ExpressionSpec kX = ColumnOf(kXs, 0);

ExpressionSpec Number(int value) { return Literal("integer", value); }
ExpressionSpec Minus(const ExpressionSpec& left, int right) {
  return Call("subtract", "integer", {left, Number(right)});
}

// Fails with REMAINDER_BY_ZERO where x is `value`.
ExpressionSpec FailsAt(int value) {
  return Call("remainder", "integer", {Number(10), Minus(kX, value)});
}
// Fails with CAST_OVERFLOW from 3 on.
ExpressionSpec FailsFromThree() {
  return Call("cast", "byte", {Call("multiply", "integer", {kX, Number(50)})});
}
ExpressionSpec IsAbove(const ExpressionSpec& left, int right) {
  return Call("greater", "boolean", {left, Literal(JsonName(left.type), right)});
}

OperatorSpec TestedSpec(const std::string& kind, std::vector<Field> output,
                        nlohmann::json arguments) {
  return {kind, "RepriseTested", 0, "", "", std::move(output), {kXs}, std::move(arguments)};
}

// The operator over one batch of these rows.
std::unique_ptr<Operator> Over(const std::string& numbers, OperatorSpec spec,
                               const TaskContext& context) {
  return Good(
      MakeOperator(std::move(spec), SourceOf(kXs, {BatchOf(kXs, {numbers})}, context), context));
}

// The values of column 0 until the end or an error, which is put behind them.
std::vector<std::string> ValuesOf(Operator* op) {
  std::vector<std::string> values;
  while (true) {
    const auto batch = op->Next();
    if (!batch.ok()) {
      const auto* error = SparkErrorOf(batch.status());
      values.push_back(error == nullptr ? batch.status().message() : error->condition());
      return values;
    }
    if (!batch->has_value()) return values;
    const auto rows = Good(ToRecordBatch(**batch, arrow::default_memory_pool()));
    for (int64_t row = 0; row < rows->num_rows(); ++row) {
      values.push_back(Good(rows->column(0)->GetScalar(row))->ToString());
    }
  }
}

using ValueTexts = std::vector<std::string>;

OperatorSpec TestedProject(const std::vector<ExpressionSpec>& expressions) {
  nlohmann::json json = nlohmann::json::array();
  std::vector<Field> output;
  for (const auto& expression : expressions) {
    json.push_back(ToJson(expression));
    output.push_back({"c", expression.type, true});
  }
  return TestedSpec("project", output, {{"expressions", std::move(json)}});
}

TEST(RowErrors, ProjectGivesTheRowsBefore) {
  const TaskContext context;
  auto project = Over("[1, 2, 0, 9]", TestedProject({kX, FailsAt(0)}), context);
  EXPECT_EQ(ValuesOf(project.get()), (ValueTexts{"1", "2", "REMAINDER_BY_ZERO"}));
  // The first row's error, of its first expression.
  project = Over("[1, 4, 2]", TestedProject({FailsAt(2), FailsFromThree()}), context);
  EXPECT_EQ(ValuesOf(project.get()), (ValueTexts{"0", "CAST_OVERFLOW"}));
  project = Over("[1, 4]", TestedProject({kX, FailsAt(4), FailsFromThree()}), context);
  EXPECT_EQ(ValuesOf(project.get()), (ValueTexts{"1", "REMAINDER_BY_ZERO"}));
}

TEST(RowErrors, ALimitThatHasEnoughMeetsNone) {
  const TaskContext context;
  std::vector<std::unique_ptr<Operator>> inputs;
  inputs.push_back(Over("[1, 2, 0]", TestedProject({kX, FailsAt(0)}), context));
  OperatorSpec spec = TestedSpec("limit", {}, {{"limit", 2}, {"offset", 0}});
  spec.inputs[0] = spec.output = inputs[0]->spec().output;
  auto limit = Good(MakeOperator(std::move(spec), std::move(inputs), context));
  EXPECT_EQ(ValuesOf(limit.get()), (ValueTexts{"1", "2"}));
}

TEST(RowErrors, AWindowOfRunningTotalsGivesTheRowsBefore) {
  TaskContext context;
  context.batch_rows_target = 1;
  std::vector<std::unique_ptr<Operator>> inputs;
  inputs.push_back(Over("[1, 2, 0]", TestedProject({kX, FailsAt(0)}), context));
  const nlohmann::json order = {
      {"expression", ToJson(kX)}, {"ascending", true}, {"nullsFirst", true}};
  OperatorSpec spec =
      TestedSpec("window", {},
                 {{"partition", nlohmann::json::array()},
                  {"ordering", {order}},
                  {"functions", {{{"function", "row_number"}, {"result", "integer"}}}}});
  spec.inputs[0] = spec.output = inputs[0]->spec().output;
  spec.output.push_back({"w", kX.type, false});
  auto window = Good(MakeOperator(std::move(spec), std::move(inputs), context));
  EXPECT_EQ(ValuesOf(window.get()), (ValueTexts{"1", "REMAINDER_BY_ZERO"}));
}

TEST(RowErrors, FilterGivesTheRowsBefore) {
  const TaskContext context;
  const auto spec = [](const ExpressionSpec& condition) {
    return TestedSpec("filter", kXs, {{"condition", ToJson(condition)}});
  };
  auto filter = Over("[1, 2, 3, 0]", spec(IsAbove(FailsAt(0), 0)), context);
  EXPECT_EQ(ValuesOf(filter.get()), (ValueTexts{"3", "REMAINDER_BY_ZERO"}));
  // No row before the error passes.
  filter = Over("[1, 0]", spec(IsAbove(FailsAt(0), 0)), context);
  EXPECT_EQ(ValuesOf(filter.get()), (ValueTexts{"REMAINDER_BY_ZERO"}));
}

TEST(RowErrors, AFilterTestsColumnsForNullWhereTheyAreRead) {
  const TaskContext context;
  const std::vector<Field> fields = Fields({"a integer", "b integer"});
  const ExpressionSpec a = ColumnOf(fields, 0);
  const ExpressionSpec b = ColumnOf(fields, 1);
  const auto valid = [](const ExpressionSpec& column) {
    return Call("is_not_null", "boolean", {column});
  };
  const ExpressionSpec fails =
      IsAbove(Call("remainder", "integer", {Number(7), a}), -9);  // where a is 0
  const auto run = [&](const ExpressionSpec& first, const ExpressionSpec& second) {
    OperatorSpec spec = TestedSpec(
        "filter", fields,
        {{"condition", ToJson(Call("and", "boolean", {valid(a), valid(b), first, second}))}});
    spec.inputs[0] = fields;
    auto filter = Good(MakeOperator(
        spec, SourceOf(fields, {BatchOf(fields, {"[0, 1]", "[null, 1]"})}, context), context));
    return ValuesOf(filter.get());
  };
  EXPECT_EQ(run(fails, IsAbove(b, 0)), (ValueTexts{"REMAINDER_BY_ZERO"}));
  EXPECT_EQ(run(IsAbove(b, 0), fails), (ValueTexts{"1"}));
}

TEST(RowErrors, ExpandGivesTheRowsBeforeForEveryProjection) {
  const TaskContext context;
  const nlohmann::json projections = {{ToJson(kX)}, {ToJson(FailsAt(0))}};
  auto expand =
      Over("[1, 2, 0, 4]", TestedSpec("expand", kXs, {{"projections", projections}}), context);
  EXPECT_EQ(ValuesOf(expand.get()),
            (ValueTexts{"1", "2", "0", "4", "0", "0", "REMAINDER_BY_ZERO"}));
  const nlohmann::json both = {{ToJson(FailsAt(4))}, {ToJson(FailsAt(2))}};
  expand = Over("[1, 2, 4]", TestedSpec("expand", kXs, {{"projections", both}}), context);
  EXPECT_EQ(ValuesOf(expand.get()), (ValueTexts{"1", "0", "REMAINDER_BY_ZERO"}));
}

TEST(RowErrors, AnOrderedExpandGivesTheProjectionsBefore) {
  const TaskContext context;
  const auto run = [&](const std::string& numbers, const nlohmann::json& projections) {
    const nlohmann::json arguments = {{"projections", projections}, {"ordered", true}};
    return ValuesOf(Over(numbers, TestedSpec("expand", kXs, arguments), context).get());
  };
  const nlohmann::json second = {{ToJson(kX)}, {ToJson(FailsAt(0))}};
  EXPECT_EQ(run("[1, 2, 0, 4]", second),
            (ValueTexts{"1", "0", "2", "0", "0", "REMAINDER_BY_ZERO"}));
  EXPECT_EQ(run("[0, 4]", second), (ValueTexts{"0", "REMAINDER_BY_ZERO"}));
  const nlohmann::json first = {{ToJson(FailsAt(0))}, {ToJson(kX)}};
  EXPECT_EQ(run("[1, 0, 4]", first), (ValueTexts{"0", "1", "REMAINDER_BY_ZERO"}));
  EXPECT_EQ(run("[0, 4]", first), (ValueTexts{"REMAINDER_BY_ZERO"}));
}

TEST(RowErrors, AggregatesTellTheFirst) {
  const TaskContext context;
  const auto run = [&](const std::string& numbers, const std::vector<nlohmann::json>& aggregates) {
    return ValuesOf(Over(numbers, AggregateOperator(kXs, {}, aggregates, true), context).get());
  };
  const Function sum{"sum", "integer"};
  const Function of_bytes{"sum", "byte"};
  const auto remainders = sum.Over("complete", {FailsAt(1)});
  const auto casts = of_bytes.Over("complete", {FailsFromThree()});
  EXPECT_EQ(run("[0, 3, 1]", {remainders, casts}), (ValueTexts{"CAST_OVERFLOW"}));
  EXPECT_EQ(run("[0, 1, 3]", {casts, remainders}), (ValueTexts{"REMAINDER_BY_ZERO"}));
  EXPECT_EQ(run("[0, 3]", {casts, sum.Over("complete", {FailsAt(3)})}),
            (ValueTexts{"CAST_OVERFLOW"}));
  // Aggregates are asked one after the other, each with its filter.
  const ExpressionSpec filter = IsAbove(FailsFromThree(), 0);
  EXPECT_EQ(run("[3]", {sum.Over("complete", {kX}), sum.Over("complete", {kX}, &filter),
                        sum.Over("complete", {FailsAt(3)})}),
            (ValueTexts{"CAST_OVERFLOW"}));
  EXPECT_EQ(run("[3]", {sum.Over("complete", {FailsAt(3)}), sum.Over("complete", {kX}, &filter)}),
            (ValueTexts{"REMAINDER_BY_ZERO"}));
  // A sum that overflows before the row whose argument fails.
  const ExpressionSpec huge = Literal("long", int64_t{1} << 62);
  EXPECT_EQ(run("[1, 2, 0]", {Function{"sum", "long"}.Over("complete", {huge}),
                              sum.Over("complete", {FailsAt(0)})}),
            (ValueTexts{"ARITHMETIC_OVERFLOW"}));
}

TEST(RowErrors, GroupsBeforeOneWhoseResultFailsLeaveFirst) {
  const TaskContext context;
  OperatorSpec spec =
      AggregateOperator(kXs, {0}, {Function{"sum", "integer"}.Over("complete", {kX})}, true);
  spec.output[0] = {"quotient", ParseDataType("integer"), true};
  spec.arguments["results"][0] = ToJson(FailsAt(0));
  auto aggregate = Over("[1, 2, 0, 4]", spec, context);
  EXPECT_EQ(ValuesOf(aggregate.get()), (ValueTexts{"0", "0", "REMAINDER_BY_ZERO"}));
}

TEST(RowErrors, SortsTellTheFirst) {
  const TaskContext context;
  const auto order = [](const ExpressionSpec& key) {
    return nlohmann::json{{"expression", ToJson(key)}, {"ascending", true}, {"nullsFirst", true}};
  };
  const nlohmann::json ordering = {order(FailsAt(1)), order(FailsFromThree())};
  const auto sort = TestedSpec("sort", kXs, {{"ordering", ordering}});
  EXPECT_EQ(ValuesOf(Over("[0, 4, 1]", sort, context).get()), (ValueTexts{"CAST_OVERFLOW"}));
  const auto first =
      TestedSpec("take_ordered", kXs, {{"ordering", ordering}, {"limit", 1}, {"offset", 0}});
  EXPECT_EQ(ValuesOf(Over("[0, 1, 4]", first, context).get()), (ValueTexts{"REMAINDER_BY_ZERO"}));
  const auto shuffle = TestedSpec(
      "shuffle_write", kXs,
      {{"partitioning",
        {{"type", "hash"}, {"expressions", {ToJson(FailsAt(1)), ToJson(FailsFromThree())}}}},
       {"numPartitions", 4},
       {"codec", "none"}});
  EXPECT_EQ(ValuesOf(Over("[0, 4, 1]", shuffle, context).get()), (ValueTexts{"CAST_OVERFLOW"}));
}

// --- joins ---

const std::vector<Field> kPairLeft = Fields({"k integer", "a integer"});
const std::vector<Field> kPairRight = Fields({"k integer", "b integer"});

// 10 % b > a, which fails where b is 0.
ExpressionSpec PairCondition() {
  std::vector<Field> all = kPairLeft;
  all.insert(all.end(), kPairRight.begin(), kPairRight.end());
  return Call("greater", "boolean",
              {Call("remainder", "integer", {Number(10), ColumnOf(all, 3)}), ColumnOf(all, 1)});
}

ValueTexts JoinedValues(const std::string& type, bool latest_first, const std::string& left,
                        const std::string& right) {
  const TaskContext context;
  OperatorSpec spec = JoinSpecOf(type, "right", kPairLeft, kPairRight, 1, PairCondition());
  spec.arguments["latestFirst"] = latest_first;
  const std::string keys = "[1, 1, 2, 2, 3]";
  auto join = Good(MadeJoin(spec, {BatchOf(kPairLeft, {"[3, 2, 1]", left})},
                            {BatchOf(kPairRight, {keys, right})}, context));
  return ValuesOf(join.get());
}

TEST(RowErrors, JoinsGiveTheProbeRowsBefore) {
  EXPECT_EQ(JoinedValues("inner", false, "[0, 0, 0]", "[7, 7, 7, 0, 7]"),
            (ValueTexts{"3", "REMAINDER_BY_ZERO"}));
  EXPECT_EQ(JoinedValues("left", false, "[9, 9, 9]", "[7, 0, 7, 7, 7]"),
            (ValueTexts{"3", "2", "REMAINDER_BY_ZERO"}));
  EXPECT_EQ(JoinedValues("anti", false, "[9, 9, 9]", "[7, 0, 7, 7, 7]"),
            (ValueTexts{"3", "2", "REMAINDER_BY_ZERO"}));
  EXPECT_EQ(JoinedValues("inner", false, "[0, 0, 0]", "[7, 7, 7, 7, 0]"),
            (ValueTexts{"REMAINDER_BY_ZERO"}));
}

TEST(RowErrors, CandidatesAreTriedInOrder) {
  // The first candidate that matches ends the search.
  for (const std::string type : {"semi", "existence"}) {
    EXPECT_EQ(JoinedValues(type, true, "[0, 0, 0]", "[0, 7, 0, 7, 7]"),
              (ValueTexts{"3", "2", "1"}));
    EXPECT_EQ(JoinedValues(type, false, "[0, 0, 0]", "[0, 7, 7, 0, 7]"),
              (ValueTexts{"3", "2", "REMAINDER_BY_ZERO"}));
    EXPECT_EQ(JoinedValues(type, true, "[0, 0, 0]", "[0, 7, 7, 0, 7]"),
              (ValueTexts{"3", "REMAINDER_BY_ZERO"}));
  }
}

TEST(RowErrors, TheLatestBuildRowComesFirstWhereSaid) {
  OperatorSpec spec = JoinSpecOf("inner", "right", kPairLeft, kPairRight, 1);
  spec.arguments["latestFirst"] = true;
  auto rows = Good(RunJoin(spec, {BatchOf(kPairLeft, {"[1, 2]", "[0, 0]"})},
                           {BatchOf(kPairRight, {"[1, 2, 1, 1]", "[1, 2, 3, 4]"})}));
  ExpectColumn(*rows, 3, "[4, 3, 1, 2]");
  // Keys that are bytes, not words.
  const std::vector<Field> texts = Fields({"k string", "b integer"});
  spec = JoinSpecOf("inner", "right", texts, texts, 1);
  spec.arguments["latestFirst"] = true;
  rows = Good(RunJoin(spec, {BatchOf(texts, {R"(["p"])", "[0]"})},
                      {BatchOf(texts, {R"(["p", "q", "p"])", "[1, 2, 3]"})}));
  ExpectColumn(*rows, 3, "[3, 1]");
}

TEST(RowErrors, AProbeKeyThatFailsComesAfterTheRowsBefore) {
  const TaskContext context;
  OperatorSpec spec = JoinSpecOf("inner", "right", kXs, kXs, 1);
  spec.arguments["leftKeys"][0] = ToJson(FailsAt(0));
  auto join =
      Good(MadeJoin(spec, {BatchOf(kXs, {"[3, 4, 0, 5]"})}, {BatchOf(kXs, {"[1, 2]"})}, context));
  EXPECT_EQ(ValuesOf(join.get()), (ValueTexts{"3", "4", "REMAINDER_BY_ZERO"}));
}

// --- values that fail where they are used ---

// x and 10 % (x - 3) over `numbers`.
std::vector<std::unique_ptr<Operator>> DeferredRemainders(const std::string& numbers,
                                                          const TaskContext& context) {
  std::vector<std::unique_ptr<Operator>> inputs;
  inputs.push_back(Over(numbers, TestedProject({kX, FailsAt(3)}), context));
  return inputs;
}

// The values of column `column` of a join of these with `right`, by x.
ValueTexts JoinedRemainders(const std::string& type, bool deferred, const std::string& numbers,
                            const std::string& right,
                            std::optional<ExpressionSpec> condition = {}) {
  const TaskContext context;
  auto inputs = DeferredRemainders(numbers, context);
  OperatorSpec spec =
      JoinSpecOf(type, "right", inputs[0]->spec().output, kPairRight, 1, std::move(condition));
  spec.arguments["deferred"] = deferred;
  inputs.push_back(
      std::move(SourceOf(kPairRight, {BatchOf(kPairRight, {right, right})}, context)[0]));
  auto join = Good(MakeOperator(std::move(spec), std::move(inputs), context));
  return ValuesOf(join.get());
}

TEST(RowErrors, AJoinDropsRowsWhoseValuesFail) {
  const ValueTexts both = {"1", "5"};
  // With gaps, in place, and of several matches.
  EXPECT_EQ(JoinedRemainders("inner", true, "[1, 3, 2, 3, 5, 7, 8, 9, 10, 11]", "[1, 5]"), both);
  EXPECT_EQ(JoinedRemainders("inner", true, "[1, 3, 5]", "[1, 5]"), both);
  EXPECT_EQ(JoinedRemainders("inner", true, "[1, 3, 5]", "[1, 5, 5]"), (ValueTexts{"1", "5", "5"}));
  EXPECT_EQ(JoinedRemainders("semi", true, "[1, 3, 5]", "[1, 5]"), both);
  EXPECT_EQ(JoinedRemainders("anti", true, "[1, 3, 5]", "[3]"), both);
  const ValueTexts failed = {"1", "REMAINDER_BY_ZERO"};
  EXPECT_EQ(JoinedRemainders("inner", true, "[1, 3, 5]", "[1, 3, 5]"), failed);
  EXPECT_EQ(JoinedRemainders("inner", true, "[2, 1, 3, 5]", "[1, 3, 3]"), failed);
  EXPECT_EQ(JoinedRemainders("semi", true, "[1, 3, 5]", "[1, 3, 5]"), failed);
  EXPECT_EQ(JoinedRemainders("left", true, "[1, 3, 5]", "[5]"), failed);
  EXPECT_EQ(JoinedRemainders("existence", true, "[1, 3, 5]", "[5]"), failed);
  // Spark reads what the condition reads, of every row.
  const std::vector<Field> all = Fields({"x integer", "r integer", "k integer", "b integer"});
  const ExpressionSpec condition = IsAbove(ColumnOf(all, 1), -9);
  EXPECT_EQ(JoinedRemainders("inner", true, "[1, 3, 5]", "[1, 5]", condition), failed);
  EXPECT_EQ(JoinedRemainders("semi", true, "[1, 3, 5]", "[1, 5]", condition), failed);
  // Spark has all values where it puts rows together before the join.
  EXPECT_EQ(JoinedRemainders("inner", false, "[1, 3, 5]", "[1, 5]"), failed);
}

TEST(RowErrors, AFilterDropsRowsWhoseValuesFail) {
  const TaskContext context;
  const auto run = [&](int column, int above) {
    auto inputs = DeferredRemainders("[3, 1, 4]", context);
    const std::vector<Field> fields = inputs[0]->spec().output;
    OperatorSpec filter = TestedSpec(
        "filter", fields, {{"condition", ToJson(IsAbove(ColumnOf(fields, column), above))}});
    filter.inputs[0] = fields;
    std::vector<std::unique_ptr<Operator>> filters;
    filters.push_back(Good(MakeOperator(std::move(filter), std::move(inputs), context)));
    // Columns that change their places take their errors with them.
    OperatorSpec swap = TestedProject({ColumnOf(fields, 1), ColumnOf(fields, 0)});
    swap.inputs[0] = fields;
    auto project = Good(MakeOperator(std::move(swap), std::move(filters), context));
    return ValuesOf(project.get());
  };
  EXPECT_EQ(run(0, 3), (ValueTexts{"0"}));
  EXPECT_EQ(run(0, 0), (ValueTexts{"REMAINDER_BY_ZERO"}));
  EXPECT_EQ(run(1, -9), (ValueTexts{"REMAINDER_BY_ZERO"}));
}

TEST(RowErrors, WhatIsDecidedDoesNotReadAValueThatFails) {
  const TaskContext context;
  auto inputs = DeferredRemainders("[1, 3, 4, 5]", context);
  const std::vector<Field> fields = inputs[0]->spec().output;
  const ExpressionSpec x = ColumnOf(fields, 0);
  const ExpressionSpec remainder = ColumnOf(fields, 1);
  // Not for 3, where the left side is false.
  OperatorSpec filter = TestedSpec(
      "filter", fields,
      {{"condition", ToJson(Call("and", "boolean", {IsAbove(x, 3), IsAbove(remainder, -9)}))}});
  filter.inputs[0] = fields;
  EXPECT_EQ(ValuesOf(Good(MakeOperator(filter, std::move(inputs), context)).get()),
            (ValueTexts{"4", "5"}));
  // A conjunct has all its columns read before it.
  inputs = DeferredRemainders("[1, 3, 4, 5]", context);
  filter.arguments["condition"] =
      ToJson(IsAbove(Call("if", "integer", {IsAbove(x, 3), remainder, Number(-1)}), -9));
  EXPECT_EQ(ValuesOf(Good(MakeOperator(filter, std::move(inputs), context)).get()),
            (ValueTexts{"1", "REMAINDER_BY_ZERO"}));
  // if(x > 3, remainder, -1): the project hands the error on in a column of its own.
  inputs = DeferredRemainders("[1, 3, 4, 5]", context);
  OperatorSpec guarded =
      TestedProject({Call("if", "integer", {IsAbove(x, 3), remainder, Number(-1)})});
  guarded.inputs[0] = fields;
  EXPECT_EQ(ValuesOf(Good(MakeOperator(guarded, std::move(inputs), context)).get()),
            (ValueTexts{"-1", "-1", "0", "0"}));
  // What is read twice is computed before.
  inputs = DeferredRemainders("[1, 3, 4, 5]", context);
  OperatorSpec twice = TestedProject(
      {Call("if", "integer", {IsAbove(x, 3), remainder, Number(-1)}), Minus(remainder, 1)});
  twice.inputs[0] = fields;
  EXPECT_EQ(ValuesOf(Good(MakeOperator(twice, std::move(inputs), context)).get()),
            (ValueTexts{"-1", "REMAINDER_BY_ZERO"}));
}

TEST(RowErrors, AFunctionThatTakesNoArgumentThatFailsHasItBefore) {
  const TaskContext context;
  auto inputs = DeferredRemainders("[1, 3, 4]", context);
  const std::vector<Field> fields = inputs[0]->spec().output;
  OperatorSpec spec =
      TestedProject({Call("substring", "string",
                          {Literal("string", "abc"), ColumnOf(fields, 1), Literal("integer", 2)})});
  spec.inputs[0] = fields;
  EXPECT_EQ(ValuesOf(Good(MakeOperator(spec, std::move(inputs), context)).get()),
            (ValueTexts{"ab", "REMAINDER_BY_ZERO"}));
}

TEST(RowErrors, AProjectThatSparkComputesAtOnceGivesTheRowsBefore) {
  const TaskContext context;
  OperatorSpec spec = TestedProject({kX, FailsAt(0)});
  spec.arguments["deferred"] = false;
  auto project = Over("[1, 2, 0, 9]", spec, context);
  EXPECT_EQ(ValuesOf(project.get()), (ValueTexts{"1", "2", "REMAINDER_BY_ZERO"}));
}

// Fails when it is read.
class UnreadableSource final : public Operator {
 public:
  UnreadableSource(const std::vector<Field>& fields, const TaskContext& context)
      : Operator({"source", "Unreadable", 0, "", "", fields, {}, {}}, {}, context) {}

 private:
  Result<std::optional<Batch>> NextBatch() override { return Status::Invalid("was read"); }
};

TEST(RowErrors, ASideThatDecidesAloneIsAllThatIsRead) {
  const TaskContext context;
  const auto run = [&](const std::string& type, bool null_aware, const std::string& right) {
    OperatorSpec spec = JoinSpecOf(type, "right", kXs, kXs, 1);
    spec.arguments["nullAware"] = null_aware;
    std::vector<std::unique_ptr<Operator>> inputs;
    inputs.push_back(std::make_unique<UnreadableSource>(kXs, context));
    inputs.push_back(std::move(SourceOf(kXs, {BatchOf(kXs, {right})}, context)[0]));
    auto join = Good(MakeOperator(std::move(spec), std::move(inputs), context));
    return ValuesOf(join.get());
  };
  const ValueTexts read = {"Unreadable: was read"};
  EXPECT_EQ(run("anti", true, "[1, null]"), ValueTexts{});
  EXPECT_EQ(run("anti", true, "[1]"), read);
  EXPECT_EQ(run("anti", false, "[1, null]"), read);
  EXPECT_EQ(run("anti", true, "[]"), read);
  EXPECT_EQ(run("inner", false, "[]"), ValueTexts{});
  EXPECT_EQ(run("semi", false, "[]"), ValueTexts{});
  EXPECT_EQ(run("right", false, "[]"), ValueTexts{});
  EXPECT_EQ(run("left", false, "[]"), read);
  EXPECT_EQ(run("existence", false, "[]"), read);
}

}  // namespace
}  // namespace reprise::testing
