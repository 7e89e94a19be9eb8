#include "operators/join/hash_join.h"

#include <gmock/gmock.h>

#include "operators/join/join_testing.h"
#include "transitions/row_decoder.h"
#include "transitions/row_encoder.h"

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

const std::vector<Field> kDivided = Fields({"k integer", "b double"});

// 0 < left b / right b, which fails where the latter is 0.
ExpressionSpec IsQuotientPositive() {
  std::vector<Field> all = kDivided;
  all.insert(all.end(), kDivided.begin(), kDivided.end());
  return Call(
      "less", "boolean",
      {Literal("double", 0.0), Call("divide", "double", {ColumnOf(all, 1), ColumnOf(all, 3)})});
}

TEST(HashJoin, AConditionIsNotEvaluatedAfterAMatch) {
  // It fails for the second candidate; the first one already decides.
  const Batch left = BatchOf(kDivided, {"[1]", "[1.0]"});
  const Batch right = BatchOf(kDivided, {"[1, 1]", "[1.0, 0.0]"});
  const auto semi = JoinSpecOf("semi", "right", kDivided, kDivided, 1, IsQuotientPositive());
  EXPECT_EQ(Good(RunJoin(semi, {left}, {right}))->num_rows(), 1);
  const auto inner = JoinSpecOf("inner", "right", kDivided, kDivided, 1, IsQuotientPositive());
  EXPECT_THAT(RunJoin(inner, {left}, {right}).status().ToString(), HasSubstr("DIVIDE_BY_ZERO"));
}

TEST(HashJoin, ARowLeavesWithAllItsPairsOrNone) {
  const Batch left = BatchOf(kDivided, {"[1, 2]", "[1.0, 1.0]"});
  // The third of the second row's pairs fails, when a batch has one pair.
  const Batch right = BatchOf(kDivided, {"[1, 2, 2, 2]", "[1.0, 2.0, 3.0, 0.0]"});
  for (const char* type : {"inner", "left"}) {
    SCOPED_TRACE(type);
    TaskContext context;
    context.batch_rows_target = 1;
    const auto spec = JoinSpecOf(type, "right", kDivided, kDivided, 1, IsQuotientPositive());
    auto join = Good(MadeJoin(spec, {left}, {right}, context));
    int64_t rows = 0;
    Status error;
    while (error.ok()) {
      const auto next = join->Next();
      error = next.status();
      if (!next.ok()) break;
      ASSERT_TRUE(next->has_value());
      rows += (*next)->selected_count();
    }
    EXPECT_EQ(rows, 1);
    EXPECT_THAT(error.ToString(), HasSubstr("DIVIDE_BY_ZERO"));
  }
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

// The key of the right side stands behind its columns, and goes no further.
TEST(HashJoin, ColumnsThatAreDroppedDoNotLeave) {
  const std::vector<Field> behind = Fields({"b integer", "k integer"});
  for (const std::string type : {"inner", "left", "right", "full", "semi", "anti", "existence"}) {
    for (const std::string side : {"right", "left"}) {
      const bool is_membership = type == "semi" || type == "anti" || type == "existence";
      if (is_membership && side == "left") continue;
      SCOPED_TRACE(type + ", build " + side);
      const OperatorSpec whole = JoinSpecOf(type, side, kLeft, kRight, 1);
      OperatorSpec spec = whole;
      spec.inputs[1] = behind;
      spec.arguments["rightKeys"] = nlohmann::json::array({ToJson(ColumnOf(behind, 1))});
      spec.arguments["dropped"] = {0, 1};
      if (!is_membership) spec.output.erase(spec.output.begin() + 2);
      const auto found = Good(RunJoin(
          spec, LeftRows(),
          {BatchOf(behind, {"[20, 30, 40]", "[2, 3, null]"}), BatchOf(behind, {"[22]", "[2]"})}));
      auto expected = Good(RunJoin(whole, LeftRows(), RightRows()));
      if (!is_membership) expected = Good(expected->RemoveColumn(2));
      EXPECT_TRUE(found->Equals(*expected)) << found->ToString() << expected->ToString();
    }
  }
  OperatorSpec wrong = JoinSpecOf("inner", "right", kLeft, kRight, 1);
  wrong.arguments["dropped"] = {0, 3};
  EXPECT_THAT(ErrorOf(wrong),
              HasSubstr("\"dropped\" is 3 for input 1, expected at most its 2 columns"));
}

/// Spark that asks whether a + b is even, and fails where it is 99.
class IsEvenSum final : public GuestRows {
 public:
  Status Begin(const EncodedRows& rows) override {
    rows_ = rows;
    next_ = 0;
    return Status::OK();
  }

  Result<Filled> Fill(uint8_t* to, int64_t /*capacity*/, int32_t* lengths,
                      int32_t /*rows_max*/) override {
    if (next_ == rows_.row_count) return Filled{};
    const int sum = Sum();
    failed_ = sum == 99;
    const auto made = Fields({"c boolean"});
    const auto encoder = Good(UnsafeRowEncoder::Make(made, arrow::default_memory_pool()));
    const EncodedRows verdict =
        Good(encoder->Encode(BatchOf(made, {sum % 2 == 0 ? "[true]" : "[false]"})));
    lengths[0] = verdict.offsets[1];
    std::memcpy(to, verdict.bytes, static_cast<size_t>(lengths[0]));
    ++next_;
    return Filled{1, 0};
  }

  Result<std::vector<std::pair<int, Status>>> Failures() override {
    std::vector<std::pair<int, Status>> failures;
    if (failed_) failures.emplace_back(0, Status::ExecutionError("99"));
    return failures;
  }

 private:
  int Sum() const {
    const auto decoder = Good(
        UnsafeRowDecoder::Make(Fields({"a integer", "b integer"}), arrow::default_memory_pool()));
    const int32_t length = rows_.offsets[next_ + 1] - rows_.offsets[next_];
    const Batch row = Good(decoder->Decode(
        {rows_.bytes + rows_.offsets[next_], static_cast<size_t>(length)}, {&length, 1}));
    const auto value = [&](int column) {
      return static_cast<const arrow::Int32Array&>(*row.columns[column]).Value(0);
    };
    return value(0) + value(1);
  }

  EncodedRows rows_;
  int32_t next_ = 0;
  bool failed_ = false;
};

/// The condition a + b is even, of the pairs with a < b where `is_less`.
OperatorSpec GuestSpec(const char* type, bool is_less) {
  OperatorSpec spec = JoinSpecOf(type, "right", kLeft, kRight, 1);
  if (is_less) spec.arguments["condition"] = ToJson(Condition());
  spec.arguments["guestReads"] = {1, 3};
  spec.arguments["guest"] = 7;
  return spec;
}

TaskContext WithEvenSums() {
  TaskContext context;
  context.take_guest = [](int64_t number) -> std::unique_ptr<GuestRows> {
    if (number != 7) return nullptr;
    return std::make_unique<IsEvenSum>();
  };
  return context;
}

TEST(HashJoin, AGuestIsAskedOfThePairsThatTheConditionLeaves) {
  const TaskContext context = WithEvenSums();
  const auto joined = [&](const char* type, bool is_less) {
    return Good(RunJoin(GuestSpec(type, is_less), LeftRows(), RightRows(), context));
  };
  ExpectColumn(*joined("inner", false), 3, "[20, 22]");
  ExpectColumn(*joined("inner", true), 3, "[22]");
  ExpectColumn(*joined("left", true), 3, "[null, 22, null, null, null]");
  ExpectColumn(*joined("full", true), 3, "[null, 22, null, null, null, 20, 30, 40]");
  ExpectColumn(*joined("semi", false), 1, "[20]");
  ExpectColumn(*joined("anti", true), 1, "[10, 30, 21, 40]");
  EXPECT_THAT(RunJoin(GuestSpec("inner", true), {}, {}).status().message(),
              HasSubstr("there is no Spark here"));
}

TEST(HashJoin, OfPairsWhoseTrialIsSureNoGuestIsAsked) {
  OperatorSpec spec = GuestSpec("inner", false);
  spec.arguments["guestTrial"] = ToJson(Condition());
  const auto sure = Good(RunJoin(spec, LeftRows(), RightRows(), WithEvenSums()));
  ExpectColumn(*sure, 3, "[22, 22]");
}

TEST(HashJoin, RowsBeforeOneWhoseGuestFailsLeaveFirst) {
  const TaskContext context = WithEvenSums();
  for (const bool is_less : {false, true}) {
    auto made =
        Good(MadeJoin(GuestSpec("inner", is_less), {BatchOf(kLeft, {"[2, 2, 2]", "[20, 79, 20]"})},
                      RightRows(), context));
    const auto first = Good(made->Next());
    ASSERT_TRUE(first.has_value());
    const auto second = made->Next();
    // 79 is less than no other value, so that nobody asks.
    EXPECT_EQ(first->selected_count(), 2);
    EXPECT_EQ(second.ok(), is_less);
    EXPECT_EQ(second.status().message(), is_less ? "" : "RepriseJoin: 99");
  }
}

}  // namespace
}  // namespace reprise::testing
