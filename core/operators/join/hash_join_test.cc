#include "operators/join/hash_join.h"

#include <gmock/gmock.h>

#include "operators/join/join_testing.h"

namespace reprise::testing {
namespace {

using ::testing::HasSubstr;

const std::vector<Field> kLeft = Fields({"k integer", "a integer"});
const std::vector<Field> kRight = Fields({"k integer", "b integer"});

// a < b
ExpressionSpec Condition() {
  std::vector<Field> all = kLeft;
  all.insert(all.end(), kRight.begin(), kRight.end());
  return Call("less", "boolean", {ColumnOf(all, 1), ColumnOf(all, 3)});
}

std::vector<Batch> LeftRows() {
  return {BatchOf(kLeft, {"[1, 2, null]", "[10, 20, 30]"}), BatchOf(kLeft, {"[]", "[]"}),
          BatchOf(kLeft, {"[2, 4]", "[21, 40]"})};
}

std::vector<Batch> RightRows() {
  return {BatchOf(kRight, {"[2, 3, null]", "[20, 30, 40]"}), BatchOf(kRight, {"[2]", "[22]"})};
}

// Columns as JSON texts.
void ExpectJoin(const OperatorSpec& spec, const std::vector<std::string>& columns) {
  const auto rows = Good(RunJoin(spec, LeftRows(), RightRows()));
  ASSERT_EQ(rows->num_columns(), static_cast<int>(columns.size()));
  for (int i = 0; i < rows->num_columns(); ++i) ExpectColumn(*rows, i, columns[i]);
}

TEST(HashJoin, InnerKeepsTheProbeOrder) {
  ExpectJoin(JoinSpecOf("inner", "right", kLeft, kRight, 1),
             {"[2, 2, 2, 2]", "[20, 20, 21, 21]", "[2, 2, 2, 2]", "[20, 22, 20, 22]"});
  ExpectJoin(JoinSpecOf("inner", "left", kLeft, kRight, 1),
             {"[2, 2, 2, 2]", "[20, 21, 20, 21]", "[2, 2, 2, 2]", "[20, 20, 22, 22]"});
}

TEST(HashJoin, OuterJoinsKeepUnmatchedRows) {
  ExpectJoin(JoinSpecOf("left", "right", kLeft, kRight, 1),
             {"[1, 2, 2, null, 2, 2, 4]", "[10, 20, 20, 30, 21, 21, 40]",
              "[null, 2, 2, null, 2, 2, null]", "[null, 20, 22, null, 20, 22, null]"});
  ExpectJoin(JoinSpecOf("left", "left", kLeft, kRight, 1),
             {"[2, 2, 2, 2, 1, null, 4]", "[20, 21, 20, 21, 10, 30, 40]",
              "[2, 2, 2, 2, null, null, null]", "[20, 20, 22, 22, null, null, null]"});
  ExpectJoin(JoinSpecOf("right", "left", kLeft, kRight, 1),
             {"[2, 2, null, null, 2, 2]", "[20, 21, null, null, 20, 21]", "[2, 2, 3, null, 2, 2]",
              "[20, 20, 30, 40, 22, 22]"});
  ExpectJoin(JoinSpecOf("right", "right", kLeft, kRight, 1),
             {"[2, 2, 2, 2, null, null]", "[20, 20, 21, 21, null, null]", "[2, 2, 2, 2, 3, null]",
              "[20, 22, 20, 22, 30, 40]"});
  ExpectJoin(
      JoinSpecOf("full", "right", kLeft, kRight, 1),
      {"[1, 2, 2, null, 2, 2, 4, null, null]", "[10, 20, 20, 30, 21, 21, 40, null, null]",
       "[null, 2, 2, null, 2, 2, null, 3, null]", "[null, 20, 22, null, 20, 22, null, 30, 40]"});
}

TEST(HashJoin, MembershipJoinsGiveLeftRowsOnce) {
  ExpectJoin(JoinSpecOf("semi", "right", kLeft, kRight, 1), {"[2, 2]", "[20, 21]"});
  ExpectJoin(JoinSpecOf("anti", "right", kLeft, kRight, 1), {"[1, null, 4]", "[10, 30, 40]"});
  ExpectJoin(JoinSpecOf("existence", "right", kLeft, kRight, 1),
             {"[1, 2, null, 2, 4]", "[10, 20, 30, 21, 40]", "[false, true, false, true, false]"});
}

TEST(HashJoin, AConditionDecidesWhatMatches) {
  ExpectJoin(JoinSpecOf("inner", "right", kLeft, kRight, 1, Condition()),
             {"[2, 2]", "[20, 21]", "[2, 2]", "[22, 22]"});
  ExpectJoin(JoinSpecOf("left", "right", kLeft, kRight, 1, Condition()),
             {"[1, 2, null, 2, 4]", "[10, 20, 30, 21, 40]", "[null, 2, null, 2, null]",
              "[null, 22, null, 22, null]"});
  ExpectJoin(JoinSpecOf("right", "left", kLeft, kRight, 1, Condition()),
             {"[null, null, null, 2, 2]", "[null, null, null, 20, 21]", "[2, 3, null, 2, 2]",
              "[20, 30, 40, 22, 22]"});
  ExpectJoin(JoinSpecOf("semi", "right", kLeft, kRight, 1, Condition()), {"[2, 2]", "[20, 21]"});
  ExpectJoin(JoinSpecOf("anti", "right", kLeft, kRight, 1, Condition()),
             {"[1, null, 4]", "[10, 30, 40]"});
}

TEST(HashJoin, AConditionIsNotEvaluatedAfterAMatch) {
  // 1 / (b - 22) = … fails for the second candidate of each row; the first one already decides.
  const std::vector<Field> fields = Fields({"k integer", "b double"});
  std::vector<Field> all = fields;
  all.insert(all.end(), fields.begin(), fields.end());
  const auto condition = Call(
      "less", "boolean",
      {Literal("double", 0.0), Call("divide", "double", {ColumnOf(all, 1), ColumnOf(all, 3)})});
  const Batch left = BatchOf(fields, {"[1]", "[1.0]"});
  const Batch right = BatchOf(fields, {"[1, 1]", "[1.0, 0.0]"});
  const auto semi = JoinSpecOf("semi", "right", fields, fields, 1, condition);
  EXPECT_EQ(Good(RunJoin(semi, {left}, {right}))->num_rows(), 1);
  const auto inner = JoinSpecOf("inner", "right", fields, fields, 1, condition);
  EXPECT_THAT(RunJoin(inner, {left}, {right}).status().ToString(), HasSubstr("DIVIDE_BY_ZERO"));
}

TEST(HashJoin, NullAwareAntiIsNotIn) {
  OperatorSpec spec = JoinSpecOf("anti", "right", kLeft, kRight, 1);
  spec.arguments["nullAware"] = true;
  ExpectJoin(spec, {"[]", "[]"});
  const std::vector<Batch> right = {BatchOf(kRight, {"[2, 3]", "[20, 30]"})};
  const auto rows = Good(RunJoin(spec, LeftRows(), right));
  ExpectColumn(*rows, 0, "[1, 4]");
  EXPECT_EQ(Good(RunJoin(spec, LeftRows(), {}))->num_rows(), 5);
}

TEST(HashJoin, InnerOverUniqueKeysSelectsFromTheProbeBatch) {
  const auto spec = JoinSpecOf("inner", "right", kLeft, kRight, 1);
  const Batch left = WithSelection(BatchOf(kLeft, {"[1, 2, 3, 9]", "[10, 20, 30, 40]"}), {0, 2, 3});
  const Batch right = BatchOf(kRight, {"[3, 1, 2]", "[33, 11, 22]"});
  const TaskContext context;
  auto join = Good(MadeJoin(spec, {left}, {right}, context));
  const Batch batch = *Good(join->Next());
  EXPECT_EQ(batch.columns[1], left.columns[1]);
  EXPECT_THAT(batch.selected(), ::testing::ElementsAre(0, 2));
  const auto rows = Good(ToRecordBatch(batch, arrow::default_memory_pool()));
  ExpectColumn(*rows, 3, "[11, 33]");
  EXPECT_FALSE(Good(join->Next()).has_value());
  EXPECT_EQ(join->metrics().extra[0], 3);
}

TEST(HashJoin, AKeyWithManyMatchesLeavesInBatches) {
  TaskContext context;
  context.batch_rows_target = 1000;
  const int count = 3000;
  std::string ones = "[1";
  for (int i = 1; i < count; ++i) ones += ", 1";
  ones += "]";
  const std::vector<Field> fields = Fields({"k integer"});
  const Batch rows = BatchOf(fields, {ones});
  for (const char* type : {"inner", "left", "full"}) {
    auto join =
        Good(MadeJoin(JoinSpecOf(type, "right", fields, fields, 1), {rows}, {rows}, context));
    int64_t total = 0;
    while (const auto batch = Good(join->Next())) {
      EXPECT_LE(batch->selected_count(), 1001);
      total += batch->selected_count();
    }
    EXPECT_EQ(total, int64_t{count} * count) << type;
  }
}

TEST(HashJoin, EmptySides) {
  for (const char* type : {"inner", "left", "right", "full", "semi", "anti", "existence"}) {
    const OperatorSpec spec = JoinSpecOf(type, "right", kLeft, kRight, 1);
    const bool keeps_left = std::string("left full anti existence").find(type) != std::string::npos;
    const bool keeps_right = std::string("right full").find(type) != std::string::npos;
    EXPECT_EQ(Good(RunJoin(spec, LeftRows(), {}))->num_rows(), keeps_left ? 5 : 0) << type;
    EXPECT_EQ(Good(RunJoin(spec, {}, RightRows()))->num_rows(), keeps_right ? 4 : 0) << type;
    EXPECT_EQ(Good(RunJoin(spec, {}, {}))->num_rows(), 0) << type;
  }
}

std::string ErrorOf(const OperatorSpec& spec) {
  return MadeJoin(spec, {}, {}, {}).status().message();
}

TEST(HashJoin, MalformedSpecsAreRefused) {
  const OperatorSpec good = JoinSpecOf("inner", "right", kLeft, kRight, 1);
  OperatorSpec spec = good;
  spec.arguments["joinType"] = "cross";
  EXPECT_EQ(ErrorOf(spec), "RepriseJoin: \"joinType\" is \"cross\", which is no join type");
  spec = good;
  spec.arguments["buildSide"] = "both";
  EXPECT_EQ(ErrorOf(spec),
            "RepriseJoin: \"buildSide\" is \"both\", expected \"left\" or \"right\"");
  spec = good;
  spec.arguments["ordered"] = "no";
  EXPECT_THAT(ErrorOf(spec), HasSubstr("\"ordered\""));
  spec = good;
  spec.arguments["rightKeys"] = nlohmann::json::array();
  EXPECT_EQ(ErrorOf(spec),
            "RepriseJoin: \"leftKeys\" has 1 keys and \"rightKeys\" 0; expected as many, at least "
            "one");
  spec = good;
  spec.arguments["rightKeys"] = {ToJson(Literal("long", 1))};
  EXPECT_EQ(ErrorOf(spec), "RepriseJoin: key 0 is int on the left and bigint on the right");
  spec = good;
  spec.arguments["nullAware"] = true;
  EXPECT_EQ(ErrorOf(spec),
            "RepriseJoin: \"nullAware\" is for anti joins with one key and without condition");
  spec = good;
  spec.output.pop_back();
  EXPECT_EQ(ErrorOf(spec), "RepriseJoin: the join yields 4 columns, but its output has 3");
  spec = good;
  spec.output[3].type = ParseDataType("long");
  EXPECT_EQ(ErrorOf(spec), "RepriseJoin: output column 3 (b) is bigint, the join yields int");
  EXPECT_EQ(ErrorOf(JoinSpecOf("semi", "left", kLeft, kRight, 1)),
            "RepriseJoin: a semi, anti or existence join must build its right side");
  spec = good;
  spec.arguments.erase("condition");
  EXPECT_EQ(ErrorOf(spec), "RepriseJoin: there is no \"condition\"");
}

}  // namespace
}  // namespace reprise::testing
