// The rules of joins and the pass that removes sorts below them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/sample_plans.h"
#include "rules/planner.h"

namespace reprise {
namespace {

using sample::Json;
using testing::ElementsAre;
using testing::IsEmpty;

const Json kA = sample::Column("a", 1, "long");
const Json kB = sample::Column("b", 2, "integer");
const Json kC = sample::Column("c", 3, "long");
const Json kD = sample::Column("d", 4, "integer");

Json Left() { return sample::ParquetScan("file:/data/l", {{"a", 1, "long"}, {"b", 2, "integer"}}); }
Json Right() {
  return sample::ParquetScan("file:/data/r", {{"c", 3, "long"}, {"d", 4, "integer"}});
}

Json Join(const std::string& name, Json type, Json left, Json right, Json more = Json::object()) {
  Json arguments = {{"leftKeys", {kA}},     {"rightKeys", {kC}},      {"joinType", std::move(type)},
                    {"condition", nullptr}, {"left", {{"child", 0}}}, {"right", {{"child", 1}}}};
  arguments.update(more);
  return sample::Node("joins." + name, {kA, kB, kC, kD}, std::move(arguments),
                      {std::move(left), std::move(right)});
}

Json Type(const std::string& name) { return {{"enum", name}}; }

Json BuildSide(const std::string& side) { return {{"buildSide", {{"enum", side}}}}; }

Json Less() { return sample::Expression("LessThan", "boolean", {kB, kD}); }

Json Sort(const Json& key, Json child) {
  Json output = child["output"];
  return sample::Node("SortExec", output,
                      {{"sortOrder",
                        {sample::Expression("SortOrder", "long", {key},
                                            {{"direction", {{"enum", "Ascending"}}},
                                             {"nullOrdering", {{"enum", "NullsFirst"}}},
                                             {"sameOrderExpressions", Json::array()}})}},
                       {"global", false}},
                      {std::move(child)});
}

Json SortedMerge(Json type = Type("Inner")) {
  return Join("SortMergeJoinExec", std::move(type), Sort(kA, Left()), Sort(kC, Right()));
}

Json Broadcast(Json child, bool blocks = false) {
  Json output = child["output"];
  Json node =
      sample::Node("exchange.BroadcastExchangeExec", output, Json::object(), {std::move(child)});
  if (blocks) node["blocks"] = true;
  return node;
}

Json Shuffle(Json child) {
  Json output = child["output"];
  return sample::Node(
      "exchange.ShuffleExchangeExec", output,
      {{"outputPartitioning",
        {{"class", "org.apache.spark.sql.catalyst.plans.physical.SinglePartition$"}}}},
      {std::move(child)});
}

Json Answer(const Json& root) {
  const auto answer =
      Plan(sample::Document(root).dump(),
           Json{{"pass", "replace"}, {"conf", Json::object()}, {"exchanges", true}}.dump());
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? Json::parse(*answer) : Json::object();
}

Json First(const Json& root) { return Answer(root)["nodes"][0]; }

std::string Marks(const Json& root) {
  std::string marks;
  const Json answer = Answer(root);
  for (const Json& node : answer["nodes"]) marks += node["mark"].get<std::string>();
  return marks;
}

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
  join["output"] = {kA, kB, exists};
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
  EXPECT_THAT(reasons(Join("ShuffledHashJoinExec", Type("Inner"), Left(), Right(),
                           {{"buildSide", {{"enum", "BuildRight"}}}, {"rightKeys", {kD}}})),
              ElementsAre("key 0 is long on the left and integer on the right"));
  const Json collated = sample::Column("s", 5, "string collate UTF8_LCASE");
  EXPECT_THAT(reasons(Join("ShuffledHashJoinExec", Type("Inner"), sample::Rows({collated}), Right(),
                           {{"buildSide", {{"enum", "BuildRight"}}}, {"leftKeys", {collated}}})),
              testing::Not(IsEmpty()));
}

TEST(JoinRuleTest, ABroadcastOfAnotherStageIsReadAsBlocks) {
  const Json join = Join("BroadcastHashJoinExec", Type("Inner"), sample::Rows({kA, kB}),
                         Broadcast(sample::Rows({kC, kD}), true), BuildSide("BuildRight"));
  const Json native = First(join)["native"];
  EXPECT_EQ(native["inputs"][0]["kind"], "row_input");
  EXPECT_EQ(native["inputs"][1]["kind"], "broadcast_read");
}

TEST(JoinRuleTest, ABroadcastOfSparksIsReadAsRows) {
  const Json answer = Answer(Join("BroadcastHashJoinExec", Type("Inner"), Left(),
                                  Broadcast(sample::Rows({kC, kD})), BuildSide("BuildRight")));
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
  if (type == "LeftSemi") join["output"] = {kA, kB};
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
  EXPECT_EQ(parts["matches"]["kind"], "build_matches");
  EXPECT_EQ(parts["matches"]["arguments"]["joinType"], "inner");
  EXPECT_EQ(parts["matches"]["output"].size(), 1u);
  EXPECT_EQ(parts["write"]["kind"], "shuffle_write");
  EXPECT_EQ(parts["read"]["kind"], "shuffle_read");
  EXPECT_EQ(parts["rest"]["kind"], "build_rest");
  EXPECT_EQ(parts["rest"]["inputs"][1], native["operator"]["inputs"][1]);
  EXPECT_EQ(parts["rest"]["arguments"], (Json{{"joinType", "full"}, {"buildSide", "right"}}));
  EXPECT_EQ(parts["together"]["kind"], "union");
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
  EXPECT_EQ(native["parts"]["rest"]["arguments"],
            (Json{{"joinType", "semi"}, {"buildSide", "left"}}));
  // In one task either side may be held.
  EXPECT_EQ(native["operator"]["arguments"]["buildSide"], "right");
}

TEST(JoinRuleTest, ACartesianProductReadsPairsOfPartitions) {
  const Json native = First(
      sample::Node("joins.CartesianProductExec", {kA, kB, kC, kD},
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

TEST(SortPassTest, BothSortsGoWhereAnExchangeIsAbove) {
  const Json answer = Answer(Shuffle(SortedMerge()));
  EXPECT_EQ(Marks(Shuffle(SortedMerge())), "**#*#*");
  EXPECT_EQ(answer["nodes"][1]["native"]["inputs"], Json::array({nullptr, nullptr}));
  EXPECT_EQ(answer["nodes"][2]["native"], (Json{{"remove", true}}));
  EXPECT_THAT(answer["nodes"][2]["reasons"], ElementsAre("no operator needs its order"));
}

TEST(SortPassTest, WhatASortReadsMayBeAStageOfWhichNothingIsTold) {
  const auto sorted_stage = [](const Json& key) {
    Json stage = sample::Node("adaptive.ShuffleQueryStageExec", {key}, Json::object(), {});
    stage["blocks"] = true;
    return Sort(key, stage);
  };
  const Json join = Join("SortMergeJoinExec", Type("LeftSemi"), sorted_stage(kA), sorted_stage(kC));
  const Json answer = Answer(Shuffle(join));
  EXPECT_EQ(answer["nodes"][1]["native"]["inputs"][0]["kind"], "shuffle_read");
  EXPECT_EQ(answer["nodes"][1]["native"]["inputs"][1]["kind"], "shuffle_read");
  EXPECT_EQ(answer["nodes"][2]["native"], (Json{{"remove", true}}));
}

TEST(SortPassTest, BuildsTheSideWithFewerRowsWhereNobodyNeedsTheOrder) {
  const auto sorted_stage = [](const Json& key, int64_t rows) {
    Json stage = sample::Node("adaptive.ShuffleQueryStageExec", {key}, Json::object(), {});
    stage["blocks"] = true;
    if (rows >= 0) stage["rows"] = rows;
    return Sort(key, stage);
  };
  const auto native = [&](const std::string& type, int64_t left, int64_t right) {
    return Answer(Shuffle(Join("SortMergeJoinExec", Type(type), sorted_stage(kA, left),
                               sorted_stage(kC, right))))["nodes"][1]["native"];
  };
  const auto build_side = [&](const std::string& type, int64_t left, int64_t right) {
    return native(type, left, right)["operator"]["arguments"]["buildSide"];
  };
  EXPECT_EQ(build_side("Inner", 10, 20), "left");
  EXPECT_EQ(build_side("Inner", 20, 10), "right");
  EXPECT_EQ(build_side("LeftOuter", 10, 20), "left");
  EXPECT_EQ(build_side("RightOuter", 20, 10), "right");
  EXPECT_EQ(build_side("Inner", -1, 20), "right");
  EXPECT_EQ(build_side("LeftSemi", 10, 20), "right");
  EXPECT_EQ(native("Inner", 10, 20)["arguments"], "[a#1], [c#3], Inner, BuildLeft [loreId=2]");
  const Json ordered =
      Join("SortMergeJoinExec", Type("Inner"), sorted_stage(kA, 10), sorted_stage(kC, 20));
  EXPECT_EQ(First(ordered)["native"]["operator"]["arguments"]["buildSide"], "right");
}

TEST(SortPassTest, TheProbeSideStaysSortedForTheResult) {
  EXPECT_EQ(Marks(SortedMerge()), "***#*");
  EXPECT_EQ(Marks(SortedMerge(Type("RightOuter"))), "*#***");
  EXPECT_EQ(Marks(SortedMerge(Type("FullOuter"))), "*#*#*");
}

TEST(SortPassTest, AJoinAboveOnTheSameKeyNeedsNoSort) {
  const Json third = sample::ParquetScan("file:/data/t", {{"e", 5, "long"}});
  Json upper = Join("SortMergeJoinExec", Type("Inner"), SortedMerge(),
                    Sort(sample::Column("e", 5, "long"), third));
  upper["args"]["rightKeys"] = {sample::Column("e", 5, "long")};
  upper["output"] = {kA, kB, kC, kD, sample::Column("e", 5, "long")};
  EXPECT_EQ(Marks(Shuffle(upper)), "***#*#*#*");
  EXPECT_EQ(Marks(upper), "****#*#*");
}

TEST(SortPassTest, AJoinIsToldThatNobodyNeedsItsOrder) {
  const auto ordered = [](const Json& root, size_t node) {
    return Answer(root)["nodes"][node]["native"]["operator"]["arguments"].value("ordered", true);
  };
  EXPECT_FALSE(ordered(Shuffle(SortedMerge()), 1));
  EXPECT_TRUE(ordered(SortedMerge(), 0));
  EXPECT_TRUE(ordered(SortedMerge(Type("RightOuter")), 0));
  EXPECT_FALSE(ordered(SortedMerge(Type("FullOuter")), 0));
  const auto hashed = [](const Json& left) {
    return Join("ShuffledHashJoinExec", Type("Inner"), left, Right(), BuildSide("BuildRight"));
  };
  EXPECT_TRUE(ordered(hashed(Sort(kA, Left())), 0));
  EXPECT_FALSE(ordered(hashed(Shuffle(Left())), 0)) << "there is none";
  EXPECT_FALSE(ordered(Shuffle(hashed(Sort(kA, Left()))), 1));
}

TEST(SortPassTest, AnUnknownOperatorNeedsTheOrder) {
  const Json window = sample::Node("window.WindowExec", {kA}, Json::object(), {SortedMerge()});
  EXPECT_EQ(Marks(Shuffle(window)).substr(2), "***#*");
}

TEST(SortPassTest, ASortForADumpStays) {
  const auto answer =
      Plan(sample::Document(Shuffle(SortedMerge())).dump(),
           Json{{"pass", "replace"},
                {"conf",
                 {{"spark.reprise.lore.idsToDump", "3[*]"}, {"spark.reprise.lore.dumpPath", "/d"}}},
                {"exchanges", true}}
               .dump());
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(Json::parse(*answer)["nodes"][2]["mark"], "*");
  EXPECT_EQ(Json::parse(*answer)["nodes"][4]["mark"], "#");
}

}  // namespace
}  // namespace reprise
