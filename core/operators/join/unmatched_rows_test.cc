// The parts of a join that keeps rows of its broadcast side: matched_rows and unmatched_rows.
#include <gmock/gmock.h>

#include "operators/join/join_testing.h"

namespace reprise::testing {
namespace {

using ::testing::HasSubstr;

const std::vector<Field> kKeptLeft = Fields({"a integer", "s string"});
const std::vector<Field> kKeptRight = Fields({"b integer"});
const std::vector<Field> kRowNumbers = Fields({"row integer"});

std::vector<Field> Both() {
  std::vector<Field> all = kKeptLeft;
  all.insert(all.end(), kKeptRight.begin(), kKeptRight.end());
  return all;
}

OperatorSpec MatchesSpec(const std::string& build_side,
                         const std::optional<ExpressionSpec>& condition) {
  OperatorSpec spec = JoinSpecOf("inner", build_side, kKeptLeft, kKeptRight, 0, condition);
  spec.kind = "matched_rows";
  spec.output = kRowNumbers;
  return spec;
}

ExpressionSpec Less() {
  return Call("less", "boolean", {ColumnOf(Both(), 0), ColumnOf(Both(), 2)});
}

std::vector<Batch> KeptLeftRows() {
  return {BatchOf(kKeptLeft, {"[1, 5, null]", R"(["x", null, "y"])"}),
          BatchOf(kKeptLeft, {"[3]", R"(["z"])"})};
}

std::vector<Batch> KeptRightRows() {
  return {BatchOf(kKeptRight, {"[2, null]"}), BatchOf(kKeptRight, {"[1, 4]"})};
}

OperatorSpec UnmatchedSpec(const std::string& type, const std::string& build_side,
                           const std::vector<Field>& build) {
  OperatorSpec spec;
  spec.kind = "unmatched_rows";
  spec.name = "RepriseJoin";
  spec.inputs = {kRowNumbers, build};
  spec.output = JoinOutputFields(type, kKeptLeft, kKeptRight);
  spec.arguments = {{"joinType", type}, {"buildSide", build_side}};
  return spec;
}

TEST(MatchedRows, NumbersTheRowsWithAMatch) {
  auto rows = Good(RunJoin(MatchesSpec("right", Less()), KeptLeftRows(), KeptRightRows()));
  ExpectColumn(*rows, 0, "[0, 3]");
  rows = Good(RunJoin(MatchesSpec("left", Less()), KeptLeftRows(), KeptRightRows()));
  ExpectColumn(*rows, 0, "[0, 3]");
}

TEST(MatchedRows, WithoutAConditionAnyRowMatchesAll) {
  const auto spec = MatchesSpec("right", std::nullopt);
  ExpectColumn(*Good(RunJoin(spec, KeptLeftRows(), KeptRightRows())), 0, "[0, 1, 2, 3]");
  EXPECT_EQ(Good(RunJoin(spec, {}, KeptRightRows()))->num_rows(), 0);
  EXPECT_EQ(Good(RunJoin(spec, KeptLeftRows(), {}))->num_rows(), 0);
}

TEST(MatchedRows, TriesEveryPairWhereThatMayFail) {
  const auto condition =
      Call("less", "boolean",
           {Literal("double", 0.0),
            Call("divide", "double",
                 {Literal("double", 1.0), Call("cast", "double", {ColumnOf(Both(), 2)})})});
  // The first left row matches; a later pair divides by zero.
  const auto failed =
      RunJoin(MatchesSpec("left", condition), {BatchOf(kKeptLeft, {"[1]", R"(["x"])"})},
              {BatchOf(kKeptRight, {"[2]"}), BatchOf(kKeptRight, {"[0]"})});
  EXPECT_THAT(failed.status().ToString(), HasSubstr("DIVIDE_BY_ZERO"));
}

TEST(MatchedRows, SmallBatchesGiveTheSame) {
  TaskContext context;
  context.batch_rows_target = 1;
  ExpectColumn(
      *Good(RunJoin(MatchesSpec("right", Less()), KeptLeftRows(), KeptRightRows(), context)), 0,
      "[0, 3]");
}

TEST(MatchedRows, WhatItIsMadeOfIsChecked) {
  OperatorSpec spec = MatchesSpec("right", Less());
  spec.arguments["joinType"] = "full";
  EXPECT_THAT(MadeJoin(spec, {}, {}, {}).status().ToString(),
              HasSubstr("\"joinType\" must be \"inner\" where build rows are only marked"));
  spec = MatchesSpec("right", Less());
  spec.output = kKeptLeft;
  EXPECT_THAT(MadeJoin(spec, {}, {}, {}).status().ToString(),
              HasSubstr("the output must be one column of type int"));
}

TEST(UnmatchedRows, OuterJoinsGiveRowsWithoutAMatchBesideNulls) {
  const std::vector<Batch> numbers = {BatchOf(kRowNumbers, {"[3, 0]"}),
                                      BatchOf(kRowNumbers, {"[0]"})};
  auto rows = Good(RunJoin(UnmatchedSpec("full", "right", kKeptRight), numbers, KeptRightRows()));
  ExpectColumn(*rows, 0, "[null, null]");
  ExpectColumn(*rows, 1, "[null, null]");
  ExpectColumn(*rows, 2, "[null, 1]");
  rows = Good(RunJoin(UnmatchedSpec("left", "left", kKeptLeft), numbers, KeptLeftRows()));
  ExpectColumn(*rows, 0, "[5, null]");
  ExpectColumn(*rows, 1, R"([null, "y"])");
  ExpectColumn(*rows, 2, "[null, null]");
}

TEST(UnmatchedRows, MembershipJoinsGiveTheRowsAlone) {
  const std::vector<Batch> numbers = {BatchOf(kRowNumbers, {"[1, 3]"})};
  ExpectColumn(*Good(RunJoin(UnmatchedSpec("semi", "left", kKeptLeft), numbers, KeptLeftRows())), 0,
               "[5, 3]");
  ExpectColumn(*Good(RunJoin(UnmatchedSpec("anti", "left", kKeptLeft), numbers, KeptLeftRows())), 0,
               "[1, null]");
  const auto rows =
      Good(RunJoin(UnmatchedSpec("existence", "left", kKeptLeft), numbers, KeptLeftRows()));
  ExpectColumn(*rows, 0, "[1, 5, null, 3]");
  ExpectColumn(*rows, 2, "[false, true, false, true]");
}

TEST(UnmatchedRows, SelectedRowsAreTheOnesThatCount) {
  Batch build = BatchOf(kKeptRight, {"[7, 8, 9, 10]"});
  const std::vector<int32_t> selected = {1, 3};
  build.selection = arrow::Buffer::FromVector(selected);
  const auto rows = Good(RunJoin(UnmatchedSpec("right", "right", kKeptRight),
                                 {BatchOf(kRowNumbers, {"[0]"})}, {build}));
  ExpectColumn(*rows, 2, "[10]");
}

TEST(UnmatchedRows, NothingMatchesWhereNoTaskHasRows) {
  const auto rows = Good(RunJoin(UnmatchedSpec("anti", "left", kKeptLeft), {}, KeptLeftRows()));
  EXPECT_EQ(rows->num_rows(), 4);
  EXPECT_EQ(Good(RunJoin(UnmatchedSpec("semi", "left", kKeptLeft), {}, KeptLeftRows()))->num_rows(),
            0);
}

TEST(UnmatchedRows, ErrorsSayWhatIsWrong) {
  const auto error = [](const OperatorSpec& spec, const std::string& numbers) {
    return RunJoin(spec, {BatchOf(kRowNumbers, {numbers})}, KeptRightRows()).status().ToString();
  };
  EXPECT_THAT(error(UnmatchedSpec("full", "right", kKeptRight), "[4]"),
              HasSubstr("row 4 is said to have a match, but there are 4"));
  EXPECT_THAT(error(UnmatchedSpec("full", "right", kKeptRight), "[-1]"),
              HasSubstr("row -1 is said to have a match"));
  EXPECT_THAT(error(UnmatchedSpec("inner", "right", kKeptRight), "[]"),
              HasSubstr("\"joinType\" is \"inner\", which keeps no rows of the build side"));
  EXPECT_THAT(error(UnmatchedSpec("full", "both", kKeptRight), "[]"),
              HasSubstr("\"buildSide\" is \"both\", expected \"left\" or \"right\""));
  OperatorSpec other = UnmatchedSpec("full", "right", kKeptRight);
  other.output[2].type = ParseDataType("string");
  EXPECT_THAT(error(other, "[]"),
              HasSubstr("output column 2 (b) is string, the build side's is int"));
}

}  // namespace
}  // namespace reprise::testing
