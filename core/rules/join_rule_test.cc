// The rules of joins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/sample_joins.h"

namespace reprise {
namespace {

using sample::Json;
using namespace sample_joins;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(JoinRuleTest, ABroadcastHashJoinReadsItsBroadcast) {
  const Json native =
      First(Join("BroadcastHashJoinExec", Type("LeftOuter"), Left(), Broadcast(Right()),
                 {{"buildSide", {{"enum", "BuildRight"}}},
                  {"condition", Less()},
                  {"isNullAwareAntiJoin", false}}))["native"];
  EXPECT_EQ(native["name"], "RepriseBroadcastHashJoin");
  EXPECT_EQ(native["arguments"], "[a#1], [c#3], LeftOuter, BuildRight, (b#2 < d#4) [loreId=1]");
  EXPECT_EQ(native["inputs"][0], nullptr);
  EXPECT_EQ(native["inputs"][1]["kind"], "broadcast_read");
  EXPECT_EQ(native["operator"]["kind"], "hash_join");
  const Json& arguments = native["operator"]["arguments"];
  EXPECT_EQ(arguments["joinType"], "left");
  EXPECT_EQ(arguments["buildSide"], "right");
  EXPECT_EQ(arguments["nullAware"], false);
  EXPECT_EQ(arguments["leftKeys"][0]["attributes"]["index"], 0);
  EXPECT_EQ(arguments["rightKeys"][0]["attributes"]["index"], 0);
  EXPECT_EQ(arguments["condition"]["arguments"][1]["attributes"]["index"], 3);
}

TEST(JoinRuleTest, ExistenceJoinsHaveAColumnMore) {
  const Json exists = sample::Column("exists", 9, "boolean");
  Json join = Join("ShuffledHashJoinExec",
                   {{"class", "org.apache.spark.sql.catalyst.plans.ExistenceJoin"},
                    {"args", {{"exists", exists}}}},
                   Left(), Right(), BuildSide("BuildRight"));
  join["output"] = {kLeftKey, kLeftValue, exists};
  const Json native = First(join)["native"];
  EXPECT_EQ(native["operator"]["arguments"]["joinType"], "existence");
  EXPECT_EQ(native["operator"]["output"].size(), 3u);
}

TEST(JoinRuleTest, SortMergeJoinsBuildTheSideWhoseOrderTheyDoNotPromise) {
  const auto build_side = [](const std::string& type) {
    return First(SortedMerge(Type(type)))["native"]["operator"]["arguments"]["buildSide"];
  };
  EXPECT_EQ(build_side("Inner"), "right");
  EXPECT_EQ(build_side("LeftOuter"), "right");
  EXPECT_EQ(build_side("RightOuter"), "left");
  EXPECT_EQ(build_side("FullOuter"), "right");
}

TEST(JoinRuleTest, TheTextSaysWhetherSkewedPartitionsAreSplit) {
  const auto text = [](bool skew) {
    return First(Join("SortMergeJoinExec", Type("Inner"), Sort(kLeftKey, Left()),
                      Sort(kRightKey, Right()), {{"isSkewJoin", skew}}))["native"]["arguments"];
  };
  EXPECT_EQ(text(true), "[a#1], [c#3], Inner, BuildRight, skew=true [loreId=1]");
  EXPECT_EQ(text(false), "[a#1], [c#3], Inner, BuildRight [loreId=1]");
}

TEST(JoinRuleTest, RefusalsSayWhy) {
  const auto reasons = [](const Json& root) -> std::vector<std::string> {
    return First(root)["reasons"];
  };
  EXPECT_THAT(reasons(Join("BroadcastHashJoinExec", Type("RightOuter"), Left(), Broadcast(Right()),
                           BuildSide("BuildRight"))),
              ElementsAre("it has keys and keeps unmatched rows of its broadcast side"));
  EXPECT_THAT(reasons(Join("ShuffledHashJoinExec", Type("LeftSemi"), Left(), Right(),
                           BuildSide("BuildLeft"))),
              ElementsAre("a semi, anti or existence join with keys that builds its left side"));
  EXPECT_THAT(reasons(Join("ShuffledHashJoinExec", Type("LeftSingle"), Left(), Right(),
                           BuildSide("BuildRight"))),
              ElementsAre("join type LeftSingle is not run natively"));
  EXPECT_THAT(
      reasons(Join("ShuffledHashJoinExec", Type("Inner"), Left(), Right(),
                   {{"buildSide", {{"enum", "BuildRight"}}}, {"rightKeys", {kRightValue}}})),
      ElementsAre("key 0 is long on the left and integer on the right"));
  const Json collated = sample::Column("s", 5, "string collate UTF8_LCASE");
  EXPECT_THAT(reasons(Join("ShuffledHashJoinExec", Type("Inner"), sample::Rows({collated}), Right(),
                           {{"buildSide", {{"enum", "BuildRight"}}}, {"leftKeys", {collated}}})),
              testing::Not(IsEmpty()));
}

TEST(JoinRuleTest, ABroadcastOfAnotherStageIsReadAsBlocks) {
  const Json join =
      Join("BroadcastHashJoinExec", Type("Inner"), sample::Rows({kLeftKey, kLeftValue}),
           Broadcast(sample::Rows({kRightKey, kRightValue}), true), BuildSide("BuildRight"));
  const Json native = First(join)["native"];
  EXPECT_EQ(native["inputs"][0]["kind"], "row_input");
  EXPECT_EQ(native["inputs"][1]["kind"], "broadcast_read");
}

TEST(JoinRuleTest, ABroadcastOfSparksIsReadAsRows) {
  const Json answer =
      Answer(Join("BroadcastHashJoinExec", Type("Inner"), Left(),
                  Broadcast(sample::Rows({kRightKey, kRightValue})), BuildSide("BuildRight")));
  EXPECT_EQ(answer["nodes"][0]["native"]["inputs"][0], nullptr);
  EXPECT_EQ(answer["nodes"][0]["native"]["inputs"][1]["kind"], "row_input");
  EXPECT_EQ(answer["nodes"][2]["mark"], "@");
}

Json Loop(const std::string& type, const std::string& side) {
  Json join = Join("BroadcastNestedLoopJoinExec", Type(type),
                   side == "BuildLeft" ? Broadcast(Left()) : Left(),
                   side == "BuildLeft" ? Right() : Broadcast(Right()), BuildSide(side));
  join["args"].erase("leftKeys");
  join["args"].erase("rightKeys");
  join["args"]["condition"] = Less();
  if (type == "LeftSemi") join["output"] = {kLeftKey, kLeftValue};
  return join;
}

TEST(JoinRuleTest, AJoinThatKeepsRowsOfItsBroadcastIsMadeOfParts) {
  const Json native = First(Loop("FullOuter", "BuildRight"))["native"];
  EXPECT_EQ(native["input"], "parts");
  EXPECT_EQ(native["operator"]["arguments"]["joinType"], "full");
  const Json& parts = native["parts"];
  EXPECT_EQ(parts["streamed"], 0);
  EXPECT_EQ(parts["pairs"]["kind"], "nested_loop_join");
  EXPECT_EQ(parts["pairs"]["arguments"]["joinType"], "left");
  EXPECT_EQ(parts["matches"]["kind"], "matched_rows");
  EXPECT_EQ(parts["matches"]["arguments"]["joinType"], "inner");
  EXPECT_EQ(parts["matches"]["output"].size(), 1u);
  EXPECT_EQ(parts["write"]["kind"], "shuffle_write");
  EXPECT_EQ(parts["read"]["kind"], "shuffle_read");
  EXPECT_EQ(parts["unmatched"]["kind"], "unmatched_rows");
  EXPECT_EQ(parts["unmatched"]["inputs"][1], native["operator"]["inputs"][1]);
  EXPECT_EQ(parts["unmatched"]["arguments"], (Json{{"joinType", "full"}, {"buildSide", "right"}}));
  EXPECT_EQ(parts["union"]["kind"], "union");
  EXPECT_EQ(parts["whole"]["output"], native["operator"]["inputs"][0]);
  const auto pairs = [](const std::string& type, const std::string& side) {
    return First(Loop(type, side))["native"]["parts"]["pairs"]["arguments"]["joinType"];
  };
  EXPECT_EQ(pairs("FullOuter", "BuildLeft"), "right");
  EXPECT_EQ(pairs("LeftOuter", "BuildLeft"), "inner");
  EXPECT_EQ(pairs("RightOuter", "BuildRight"), "inner");
  EXPECT_EQ(First(Loop("LeftOuter", "BuildRight"))["native"]["input"], "children");
}

TEST(JoinRuleTest, ASemiJoinThatBuildsItsLeftSideHasNoPairs) {
  const Json native = First(Loop("LeftSemi", "BuildLeft"))["native"];
  EXPECT_EQ(native["arguments"], "LeftSemi, BuildLeft, (b#2 < d#4) [loreId=1]");
  EXPECT_EQ(native["parts"]["pairs"], nullptr);
  EXPECT_EQ(native["parts"]["streamed"], 1);
  EXPECT_EQ(native["parts"]["unmatched"]["arguments"],
            (Json{{"joinType", "semi"}, {"buildSide", "left"}}));
  // In one task either side may be held.
  EXPECT_EQ(native["operator"]["arguments"]["buildSide"], "right");
}

TEST(JoinRuleTest, ACartesianProductReadsPairsOfPartitions) {
  const Json native = First(
      sample::Node("joins.CartesianProductExec", {kLeftKey, kLeftValue, kRightKey, kRightValue},
                   {{"condition", Less()}, {"left", {{"child", 0}}}, {"right", {{"child", 1}}}},
                   {Left(), Right()}))["native"];
  EXPECT_EQ(native["name"], "RepriseCartesianProduct");
  EXPECT_EQ(native["operator"]["kind"], "nested_loop_join");
  EXPECT_EQ(native["operator"]["arguments"]["joinType"], "inner");
  EXPECT_EQ(native["operator"]["arguments"]["buildSide"], "right");
  EXPECT_EQ(native["operator"]["arguments"]["ordered"], false);
  EXPECT_EQ(native["input"], "paired");
  ASSERT_EQ(native["paired"].size(), 2u);
  EXPECT_EQ(native["paired"][1]["kind"], "batch_input");
  EXPECT_EQ(native["paired"][1]["output"], native["operator"]["inputs"][1]);
}

}  // namespace
}  // namespace reprise
