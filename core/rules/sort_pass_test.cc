// The pass that removes sorts below joins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rules/sample_joins.h"

namespace reprise {
namespace {

using sample::Json;
using testing::ElementsAre;
using namespace sample_joins;

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
  const Json join =
      Join("SortMergeJoinExec", Type("LeftSemi"), sorted_stage(kLeftKey), sorted_stage(kRightKey));
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
    return Answer(Shuffle(Join("SortMergeJoinExec", Type(type), sorted_stage(kLeftKey, left),
                               sorted_stage(kRightKey, right))))["nodes"][1]["native"];
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
  const Json ordered = Join("SortMergeJoinExec", Type("Inner"), sorted_stage(kLeftKey, 10),
                            sorted_stage(kRightKey, 20));
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
  upper["output"] = {kLeftKey, kLeftValue, kRightKey, kRightValue, sample::Column("e", 5, "long")};
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
  EXPECT_TRUE(ordered(hashed(Sort(kLeftKey, Left())), 0));
  EXPECT_TRUE(ordered(hashed(Shuffle(Left())), 0)) << "that in which the exchange gives its rows";
  EXPECT_FALSE(ordered(Shuffle(hashed(Shuffle(Left()))), 1));
  EXPECT_FALSE(ordered(Shuffle(hashed(Sort(kLeftKey, Left()))), 1));
}

TEST(SortPassTest, AnUnknownOperatorNeedsTheOrder) {
  const Json window =
      sample::Node("window.WindowExec", {kLeftKey}, Json::object(), {SortedMerge()});
  EXPECT_EQ(Marks(Shuffle(window)).substr(2), "***#*");
}

Json Over(const std::string& name, Json child, Json arguments = Json::object()) {
  Json output = child["output"];
  return sample::Node(name, output, std::move(arguments), {std::move(child)});
}

/// Whether both sorts of a join go below `above`, which stands in a stage of its own.
bool Goes(const Json& above) {
  const std::string marks = Marks(Shuffle(above));
  EXPECT_EQ(std::ranges::count(marks.substr(2), '#') + std::ranges::count(marks.substr(2), '*'), 5)
      << marks;
  return std::ranges::count(marks, '#') == 2;
}

TEST(SortPassTest, ALimitSeesTheOrder) {
  EXPECT_FALSE(Goes(Over("LocalLimitExec", SortedMerge(), {{"limit", 5}})));
  EXPECT_FALSE(Goes(Over("GlobalLimitExec", SortedMerge(), {{"limit", 5}, {"offset", 0}})));
}

TEST(SortPassTest, SoDoesAnExchangeThatDealsRowsOutUnsorted) {
  const auto goes = [](bool is_sorted) {
    Json exchange = Shuffle(SortedMerge());
    exchange["args"]["outputPartitioning"] = {
        {"class", "org.apache.spark.sql.catalyst.plans.physical.RoundRobinPartitioning"},
        {"args", {{"numPartitions", 3}}}};
    const auto answer = Plan(
        sample::Document(exchange).dump(),
        Json{
            {"pass", "replace"},
            {"conf", {{"spark.sql.execution.sortBeforeRepartition", is_sorted ? "true" : "false"}}}}
            .dump());
    EXPECT_TRUE(answer.ok()) << answer.status();
    return Json::parse(*answer)["nodes"][2]["mark"] == "#";
  };
  EXPECT_TRUE(goes(true));
  EXPECT_FALSE(goes(false));
}

TEST(SortPassTest, SoDoesAnExpressionThatKnowsMoreThanItsRow) {
  const auto project = [](const Json& expression) {
    Json node =
        Over("ProjectExec", SortedMerge(), {{"projectList", {sample::Alias(expression, "x", 9)}}});
    node["output"] = {sample::Column("x", 9, expression["type"])};
    return node;
  };
  EXPECT_TRUE(Goes(project(sample::Arithmetic("Add", "long", kLeftKey, kRightKey))));
  EXPECT_TRUE(Goes(project(sample::Expression("BitwiseCount", "integer", {kLeftKey}))))
      << "a guest";
  EXPECT_FALSE(Goes(project(sample::Expression("MonotonicallyIncreasingID", "long", {}))));
  EXPECT_FALSE(Goes(
      project(sample::Expression("If", "long",
                                 {sample::Expression("IsNull", "boolean", {kLeftKey}), kLeftKey,
                                  sample::Expression("ScalaUDF", "long", {kLeftKey})}))));
  EXPECT_FALSE(
      Goes(Over("FilterExec", SortedMerge(),
                {{"condition",
                  sample::Expression("LessThan", "boolean",
                                     {sample::Expression("Rand", "integer", {}), kRightValue})}})));
}

Json Aggregated(const std::string& name, const std::string& function, const Json& argument,
                const Json& filter = nullptr) {
  const std::string package = "aggregate.";
  std::vector<Json> children = {
      sample::Expression(package + function, "long", {argument}, sample::EvalContext("ANSI"))};
  if (!filter.is_null()) children.push_back(filter);
  Json expression = sample::Expression(package + "AggregateExpression", "long", children,
                                       {{"mode", {{"enum", "Partial"}}}});
  return Over("aggregate." + name, SortedMerge(),
              {{"groupingExpressions", {kLeftKey}},
               {"aggregateExpressions", {std::move(expression)}},
               {"resultExpressions", {kLeftKey}}});
}

TEST(SortPassTest, SoDoFunctionsWhoseResultDependsOnIt) {
  const auto goes = [](const std::string& function, const Json& argument) {
    return Goes(Aggregated("HashAggregateExec", function, argument));
  };
  const Json real = sample::Column("f", 8, "double");
  EXPECT_TRUE(goes("Count", real));
  EXPECT_TRUE(goes("Sum", kLeftKey));
  EXPECT_TRUE(goes("Max", kLeftKey));
  EXPECT_TRUE(goes("Average", sample::Column("f", 8, "decimal(10,2)")));
  EXPECT_FALSE(goes("Average", kLeftKey)) << "adds doubles";
  EXPECT_FALSE(goes("Sum", real));
  EXPECT_FALSE(goes("Min", real)) << "of 0.0 and -0.0 the first";
  EXPECT_FALSE(goes("First", kLeftKey));
  EXPECT_FALSE(goes("CollectList", kLeftKey));
  EXPECT_FALSE(Goes(Aggregated("HashAggregateExec", "Sum", kLeftKey,
                               sample::Expression("SparkPartitionID", "boolean", {}))));
}

TEST(SortPassTest, ASortAggregateNeedsTheOrderThatIsNeededOfIt) {
  const auto sorted = [](const Json& root, size_t node) {
    return Answer(root)["nodes"][node]["native"]["operator"]["arguments"]["sorted"].get<bool>();
  };
  const auto keeps_order = [](const Json& root, size_t node) {
    return !Answer(root)["nodes"][node]["native"].value("unordered", false);
  };
  Json aggregate = Aggregated("SortAggregateExec", "Sum", kLeftKey);
  aggregate["args"]["aggregateExpressions"] = Json::array();
  aggregate["output"] = {kLeftKey};
  EXPECT_TRUE(sorted(aggregate, 0));
  EXPECT_TRUE(keeps_order(aggregate, 0));
  EXPECT_TRUE(keeps_order(aggregate, 1));
  EXPECT_EQ(Marks(aggregate), "****#*");
  EXPECT_FALSE(sorted(Shuffle(aggregate), 1));
  EXPECT_FALSE(keeps_order(Shuffle(aggregate), 1));
  EXPECT_FALSE(keeps_order(Shuffle(aggregate), 2));
  EXPECT_EQ(Marks(Shuffle(aggregate)), "***#*#*");
}

TEST(SortPassTest, TheSortBelowASortAggregateGoesWhereNobodySeesTheOrder) {
  Json aggregate = Aggregated("SortAggregateExec", "Max", kLeftKey);
  aggregate["args"]["aggregateExpressions"] = Json::array();
  aggregate["children"] = Json::array({Sort(kLeftKey, Left())});
  aggregate["output"] = {kLeftKey};
  EXPECT_EQ(Marks(Shuffle(aggregate)), "**#*");
  EXPECT_EQ(Marks(aggregate), "***") << "the result is sorted by its keys";
}

TEST(SortPassTest, WhichOfEqualRowsAreTheFirstDependsOnTheOrder) {
  for (const auto& [direction, nulls] :
       {std::pair("Ascending", "NullsFirst"), std::pair("Descending", "NullsLast")}) {
    const Json order = sample::Expression(
        "SortOrder", "long", {kLeftKey},
        {{"direction", {{"enum", direction}}}, {"nullOrdering", {{"enum", nulls}}}});
    EXPECT_FALSE(Goes(Over("TakeOrderedAndProjectExec", SortedMerge(),
                           {{"limit", 5},
                            {"sortOrder", {order}},
                            {"projectList", {kLeftKey, kLeftValue, kRightKey, kRightValue}}})));
  }
}

TEST(SortPassTest, ASortAboveHandsTheOrderOfItsEqualRowsOn) {
  const auto limited = [](const Json& key, Json join) {
    return Over("LocalLimitExec", Sort(key, std::move(join)), {{"limit", 5}});
  };
  EXPECT_EQ(Marks(limited(kLeftValue, SortedMerge())), "*****#*") << "the probe side stays sorted";
  EXPECT_EQ(Marks(Shuffle(Sort(kLeftValue, SortedMerge()))), "***#*#*") << "nobody sees it";
  EXPECT_EQ(Marks(limited(kLeftKey, SortedMerge())), "***#*#*") << "of one key the order is kept";
  EXPECT_EQ(Marks(limited(kRightKey, SortedMerge())), "***#*#*");
  EXPECT_EQ(Marks(limited(kLeftKey, SortedMerge(Type("LeftOuter")))), "***#*#*");
  EXPECT_EQ(Marks(limited(kRightKey, SortedMerge(Type("LeftOuter")))), "*****#*")
      << "rows without a match have different keys";
  const Json join = Answer(limited(kLeftKey, SortedMerge()))["nodes"][2]["native"];
  EXPECT_TRUE(join["unordered"]) << "its own output is in no order of keys";
  EXPECT_FALSE(join["operator"]["arguments"].contains("ordered"))
      << "but stays in that of its rows";
}

TEST(SortPassTest, AFullJoinIsSparksWhereItsOrderIsSeen) {
  const Json full = SortedMerge(Type("FullOuter"));
  EXPECT_EQ(Marks(Shuffle(Over("LocalLimitExec", full, {{"limit", 5}}))), "**!****");
  EXPECT_EQ(Marks(Shuffle(full)), "**#*#*");
  EXPECT_EQ(Marks(full), "*#*#*");
  EXPECT_EQ(Marks(Over("datasources.WriteFilesExec", full)), "!*#*#*");
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
