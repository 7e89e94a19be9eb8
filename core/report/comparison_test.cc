#include "report/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/report_testing.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<LoggedNode> Aggregate(const std::string& column, int64_t scan_ms,
                                  const std::string& number = "1") {
  return {{0,
           "HashAggregate",
           "HashAggregate(keys=[" + column + "#" + number + "])",
           {{"number of output rows", 10}}},
          {1,
           "Scan parquet ",
           "FileScan parquet [" + column + "#" + number +
               "] Location: InMemoryFileIndex[file:/day-" + number + "], x",
           {{"number of output rows", 1000}, {"scan time", scan_ms}}}};
}

TEST(CompareRuns, PairsQueriesByTheirPlans) {
  TestApplication first;
  first.Query(Aggregate("a", 10)).Stage({{.ms = 100}}, 100);
  first.Query(Aggregate("b", 10)).Stage({{.ms = 100}}, 100);
  TestApplication second;
  second.Query(Aggregate("b", 10, "7")).Stage({{.ms = 100}}, 100);
  second.Query(Aggregate("a", 10, "9")).Stage({{.ms = 100}}, 100);
  const Report left = first.Tell();
  const Report right = second.Tell();
  const RunComparison comparison = CompareRuns(left, right);
  ASSERT_EQ(comparison.queries.size(), 2);
  for (const ComparedQuery& pair : comparison.queries) {
    EXPECT_EQ(pair.left->execution->id, 1 - pair.right->execution->id);
    EXPECT_TRUE(pair.same_plan);
  }
}

TEST(CompareRuns, SaysWhichOperatorBecameSlower) {
  TestApplication first;
  first.Query(Aggregate("a", 100)).Stage({{.ms = 200}}, 200);
  TestApplication second;
  second.Query(Aggregate("a", 5000)).Stage({{.ms = 5200}}, 5200);
  const Report left = first.Tell();
  const Report right = second.Tell();
  const RunComparison comparison = CompareRuns(left, right);
  ASSERT_EQ(comparison.queries.size(), 1);
  const ComparedOperator& most = comparison.queries[0].operators.front();
  EXPECT_EQ(right.queries[0].plan[most.right].operator_name, "Scan parquet");
  EXPECT_GT(most.MoreMs(), 4000);
}

TEST(CompareRuns, TakesAnotherPlanForTheSameQueryWhereItIsCalledTheSame) {
  TestApplication first;
  first.Query(Aggregate("a", 10)).Stage({{.ms = 100}}, 100);
  TestApplication second;
  auto sorted = Aggregate("a", 10);
  for (LoggedNode& node : sorted) ++node.depth;
  sorted.insert(sorted.begin(), {0, "Sort", "Sort [a#1]", {}});
  second.Query(sorted).Stage({{.ms = 100}}, 100);
  const Report left = first.Tell();
  const Report right = second.Tell();
  const RunComparison comparison = CompareRuns(left, right);
  ASSERT_EQ(comparison.queries.size(), 1);
  EXPECT_FALSE(comparison.queries[0].same_plan);
  EXPECT_THAT(comparison.only_left, IsEmpty());
}

TEST(CompareRuns, TellsOfTheSettingsThatDiffer) {
  TestApplication first;
  first.Setting("spark.app.id", "app-1").Setting("a", "1").Setting("gone", "x");
  TestApplication second;
  second.Setting("spark.app.id", "app-2").Setting("a", "2").Setting("same", "");
  const Report left = first.Tell();
  const Report right = second.Tell();
  std::vector<std::string> names;
  for (const ComparedSetting& each : CompareRuns(left, right).settings) names.push_back(each.name);
  EXPECT_THAT(names, ElementsAre("a", "gone"));
}

TEST(CompareRuns, LeavesQueriesOfOneRunAlone) {
  TestApplication first;
  first.Query(Aggregate("a", 10)).Stage({{.ms = 100}}, 100);
  TestApplication second;
  second.Query(Aggregate("a", 10)).Stage({{.ms = 100}}, 100);
  second.Query(Aggregate("a", 10)).Stage({{.ms = 100}}, 100);
  const Report left = first.Tell();
  const Report right = second.Tell();
  const RunComparison comparison = CompareRuns(left, right);
  EXPECT_EQ(comparison.queries.size(), 1);
  ASSERT_EQ(comparison.only_right.size(), 1);
  EXPECT_EQ(comparison.only_right[0]->execution->id, 1);
}

}  // namespace
}  // namespace reprise
