#include "lineage/query_tree.h"

#include <gmock/gmock.h>

#include "eventlog/load_log.h"
#include "eventlog/run_testing.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

nlohmann::json Node(const std::string& name, const std::vector<nlohmann::json>& children = {}) {
  return {{"nodeName", name}, {"simpleString", name}, {"children", children}};
}

// 1 Sort <- 2 Exchange <- 3 Filter <- 4 Join <- (5 Exchange <- 6 Scan, 7 Exchange <- 8 Scan);
// the filter has a subquery: 9 Aggregate <- 10 Exchange <- 11 Scan.
nlohmann::json FirstPlan() {
  const auto subquery = Node(
      "Subquery", {Node("AdaptiveSparkPlan",
                        {Node("HashAggregate", {Node("Exchange", {Node("Scan parquet ")})})})});
  const auto join = Node("SortMergeJoin", {Node("Exchange", {Node("Scan parquet ")}),
                                           Node("Exchange", {Node("Scan parquet ")})});
  return Node("AdaptiveSparkPlan",
              {Node("Sort", {Node("Exchange", {Node("Filter", {join, subquery})})})});
}

// As adaptive execution has a query explained: a stage at a time.
TestRun Staged() {
  TestRun run;
  run.Plan(FirstPlan());
  run.Explain("q", 3, {{5, "ShuffleExchange"}, {6, "FileSourceScan", 5}});
  run.Explain("q", 3, {{7, "ShuffleExchange"}, {8, "FileSourceScan", 7}});
  run.Explain("q", 3, {{10, "ShuffleExchange"}, {11, "FileSourceScan", 10}});
  run.Explain("q", 3, {{9, "HashAggregate"}});
  run.Explain("q", 3, {{2, "ShuffleExchange"}, {3, "Filter", 2}, {4, "SortMergeJoin", 3}});
  run.Explain("q", 3, {{1, "Sort"}});
  return run;
}

QueryTree TreeOf(const TestRun& run) {
  const LogFolder folder;
  const LoadedLog log = LoadLog(run.Write(folder, "run") + "/events", {}).ValueOrDie();
  return BuildQueryTree(log.model, log.model.queries().at("q"));
}

TEST(QueryTree, ArePutTogetherByTheFirstPlan) {
  const QueryTree tree = TreeOf(Staged());
  ASSERT_EQ(tree.size(), 11u);
  EXPECT_THAT(tree.at(1).children, ElementsAre(2));
  EXPECT_THAT(tree.at(3).children, ElementsAre(4, 9));
  EXPECT_THAT(tree.at(4).children, ElementsAre(5, 7));
  EXPECT_THAT(tree.at(9).children, ElementsAre(10));
  EXPECT_THAT(tree.at(11).children, IsEmpty());
  EXPECT_TRUE(tree.at(11).linked);
}

TEST(QueryTree, AreGuessedFromTheirNumbersWithoutAPlan) {
  TestRun run = Staged();
  size_t at = 0;
  while ((at = run.events.find("AdaptiveSparkPlan", at)) != std::string::npos) {
    run.events.replace(at, 17, "Mystery");
  }
  const QueryTree tree = TreeOf(run);
  EXPECT_THAT(tree.at(1).children, ElementsAre(2));
  EXPECT_THAT(tree.at(4).children, ElementsAre(5, 7));
  EXPECT_THAT(tree.at(9).children, ElementsAre(10));
  EXPECT_EQ(tree.at(9).parent, 0);  // no number says which filter asks it
}

TEST(QueryTree, AddedByAdaptiveExecutionStandWhereTheLastPlanSays) {
  TestRun run = Staged();
  run.Explain("q", 3, {{312371, "BroadcastExchange"}});
  EXPECT_FALSE(TreeOf(run).at(312371).linked);
  auto last = FirstPlan();
  const auto tagged = [](nlohmann::json node, int64_t id) {
    node["simpleString"] = fmt::format("x [loreId={}]", id);
    return node;
  };
  const auto added =
      tagged(Node("RepriseBroadcastExchange", {tagged(Node("RepriseShuffleExchange"), 7)}), 312371);
  run.Event({{"Event", "org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate"},
             {"executionId", 3},
             {"sparkPlanInfo", tagged(Node("RepriseBroadcastHashJoin", {added}), 4)}});
  const QueryTree tree = TreeOf(run);
  EXPECT_EQ(tree.at(312371).parent, 4);
  EXPECT_THAT(tree.at(312371).children, ElementsAre(7));
  EXPECT_TRUE(tree.at(312371).linked);
}

TEST(QueryTree, ThatFillACacheAreNotOfTheQueryThatReadsIt) {
  const auto filled = Node("WholeStageCodegen (1)", {Node("Project", {Node("Range")})});
  for (const char* scan : {"InMemoryTableScan", "Scan In-memory table t"}) {
    TestRun run;
    run.Plan(Node("BroadcastHashJoin",
                  {Node(scan, {filled}), Node("BroadcastExchange", {Node("Scan parquet ")})}));
    run.Explain("q", 3, {{3, "BroadcastExchange"}, {4, "FileSourceScan", 3}});
    run.Explain("q", 3, {{1, "BroadcastHashJoin"}, {2, "InMemoryTableScan", 1}});
    const QueryTree tree = TreeOf(run);
    ASSERT_EQ(tree.size(), 4u) << scan;
    EXPECT_THAT(tree.at(1).children, ElementsAre(2, 3));
    EXPECT_THAT(tree.at(2).children, IsEmpty());
  }
}

TEST(QueryTree, OfADamagedLogMakeNoCircle) {
  TestRun run;
  run.Explain("q", 3, {{1, "Sort", 2}, {2, "Filter", 1}});
  const QueryTree tree = TreeOf(run);
  EXPECT_EQ(tree.at(1).parent + tree.at(2).parent, 1);
}

}  // namespace
}  // namespace reprise
