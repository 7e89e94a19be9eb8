#include "ledger/ledger_diff.h"

#include <gmock/gmock.h>

#include "ledger/ledger_testing.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// A query that is planned twice, and runs once.
TestRun PlannedTwice(const Rows& rows) {
  TestRun run;
  for (const std::string token : {"early", "late"}) {
    run.Explain(token, 3, {{1, "FileSourceScan", 0, "f"}});
    run.Columns(token, 1, {"value"});
  }
  run.Job(0, {{0, {{0, "FileScanRDD", {}, 1}}}}, 3);
  run.Task({.stage = 0, .partition = 0, .id = 0}, {OperatorRows("late", 1, rows)});
  return run;
}

TEST(LedgerDiff, SaysNothingOfWhatWasPlannedAndDidNotRun) {
  const Diffed same(PlannedTwice({7}), PlannedTwice({7}));
  ASSERT_THAT(same.diff.pairs, SizeIs(1));
  EXPECT_THAT(same.diff.differences, IsEmpty());
  const Diffed other(PlannedTwice({7}), PlannedTwice({8}));
  EXPECT_THAT(other.Lines(), ElementsAre("FileSourceScan [loreId=1] departs"));
}

struct RunOptions {
  std::string token = "q";
  int64_t execution = 3;
  int64_t partitions = 2;      // of the second stage
  Rows projected = {1, 2, 3};  // of partition 0
  bool project = true;         // is recorded
  bool extra_query = false;
  std::vector<Rows> aggregated = {{1, 2}, {3}};
  std::string project_fingerprint = "p";
};

// Aggregate 1 (stage 1) <- Exchange 2 <- Project 3 <- Filter 4 <- Scan 5 (stage 0).
TestRun QueryRun(const RunOptions& options) {
  TestRun run;
  if (options.extra_query) {
    run.Explain("before", 1, {{1, "Range", 0, "r"}}, "count at app.py:2");
    run.Job(9, {{9, {{90, "FragmentRDD", {}, 1}}}}, 1);
    run.Task({.stage = 9, .partition = 0, .id = 90}, {OperatorRows("before", 1, {77})});
  }
  const std::string& token = options.token;
  run.Explain(token, options.execution,
              {{1, "HashAggregate", 0},
               {2, "ShuffleExchange", 1},
               {3, "Project", 2, options.project_fingerprint},
               {4, "Filter", 3},
               {5, "Scan parquet", 4}});
  run.Job(0, {{0, {{0, "FragmentRDD", {}}}}, {1, {{1, "FragmentRDD", {0}, options.partitions}}}},
          options.execution);
  if (options.project) run.Columns(token, 3, {"a", "hour(ts)"});
  for (int64_t partition = 0; partition < 2; ++partition) {
    const Rows rows = partition == 0 ? options.projected : Rows{4, 5};
    std::vector<nlohmann::json> checksums = {OperatorRows(token, 5, {9, 8, 7 + partition}),
                                             OperatorRows(token, 4, {9, 8}),
                                             OperatorRows(token, 2, rows)};
    if (options.project) checksums.push_back(OperatorRows(token, 3, rows));
    run.Task({.stage = 0, .partition = partition, .id = partition}, checksums);
  }
  for (size_t i = 0; i < options.aggregated.size(); ++i) {
    const auto partition = static_cast<int64_t>(i);
    run.Task({.stage = 1, .partition = partition, .id = 10 + partition},
             {OperatorRows(token, 1, options.aggregated[i])});
  }
  run.End();
  return run;
}

TEST(LedgerDiff, AgreesThoughTokensAndOtherQueriesDiffer) {
  const Diffed of(QueryRun({}), QueryRun({.token = "other", .execution = 5, .extra_query = true}));
  EXPECT_EQ(of.diff.compared, 5);
  EXPECT_FALSE(of.diff.Differs());
  EXPECT_THAT(of.diff.differences, IsEmpty());
  EXPECT_THAT(of.diff.matched.right_only, SizeIs(1));
  EXPECT_THAT(of.diff.matched.left_only, IsEmpty());
}

TEST(LedgerDiff, NamesTheFirstOperatorAndWhatInheritsIt) {
  const Diffed of(QueryRun({}), QueryRun({.projected = {1, 2, 4},
                                          .aggregated = {{1, 9}, {3}},
                                          .project_fingerprint = "of another time zone"}));
  EXPECT_THAT(of.Lines(),
              ElementsAre("Project [loreId=3] departs", "ShuffleExchange [loreId=2] inherits",
                          "HashAggregate [loreId=1] inherits"));
  EXPECT_TRUE(of.diff.Differs());
  EXPECT_THAT(of.First().partitions, ElementsAre(0));
  EXPECT_THAT(ColumnNames(of.left.subjects[of.First().left], of.First().columns),
              ElementsAre("hour(ts)"));
  EXPECT_EQ(of.First().left_rows, 5);
  ASSERT_THAT(of.First().inputs, SizeIs(1));
  EXPECT_EQ(of.diff.pairs[of.First().inputs[0]].agreement, Agreement::kEqual);
  EXPECT_FALSE(of.First().absorbed);
}

TEST(LedgerDiff, LooksThroughWhatWasNotRecorded) {
  const Diffed of(QueryRun({}), QueryRun({.projected = {1, 2, 4}, .project = false}));
  EXPECT_THAT(of.Lines(), ElementsAre("ShuffleExchange [loreId=2] departs"));
  EXPECT_THAT(of.First().between, ElementsAre("Project [loreId=3]"));
  EXPECT_TRUE(of.First().absorbed);
  EXPECT_TRUE(of.diff.Differs());  // the same input gave another output
  EXPECT_THAT(of.diff.matched.left_only, SizeIs(1));
}

// Query "q", Project 1 <- InMemoryTableScan 2, reads what query "c", Project 1 <- Range 2, has
// filled in a stage of its own.
TestRun CachedRun(const Rows& filled, const std::string& cached_by = "c", bool project = true) {
  TestRun run;
  run.Explain("c", -1, {{1, "Project", 0, "c1"}, {2, "Range", 1, "c2"}});
  run.Job(0, {{0, {{0, "FragmentRDD", {}, 1}}}}, 3);
  std::vector<nlohmann::json> checksums = {OperatorRows("c", 2, {1, 2, 3})};
  if (project) checksums.push_back(OperatorRows("c", 1, filled));
  run.Task({.stage = 0, .partition = 0, .id = 0}, checksums);
  run.Explain("q", 3, {{1, "Project", 0, "q1"}, {2, "InMemoryTableScan", 1, "q2", cached_by}});
  run.Job(1, {{1, {{1, "FragmentRDD", {0}, 1}, {0, "FragmentRDD", {}, 1}}}}, 3);
  run.Task({.stage = 1, .partition = 0, .id = 1},
           {OperatorRows("q", 2, filled), OperatorRows("q", 1, filled)});
  return run.End();
}

TEST(LedgerDiff, ReadsACacheFromTheQueryThatFilledIt) {
  const Diffed of(CachedRun({4, 5, 6}), CachedRun({4, 5, 7}));
  EXPECT_THAT(of.Lines(),
              ElementsAre("Project [loreId=1] departs", "InMemoryTableScan [loreId=2] inherits",
                          "Project [loreId=1] inherits"));
  EXPECT_EQ(of.left_graph.PlaceOf(of.First().left), "a query that is cached");
}

TEST(LedgerDiff, LooksThroughTheRootOfACachedQuery) {
  const Diffed of(CachedRun({4, 5, 6}), CachedRun({4, 5, 7}, "c", false));
  EXPECT_THAT(of.Lines(),
              ElementsAre("InMemoryTableScan [loreId=2] departs", "Project [loreId=1] inherits"));
  EXPECT_THAT(of.First().between, ElementsAre("Project [loreId=1]"));
}

TEST(LedgerDiff, IsNotLedInCirclesByADamagedLog) {
  for (const char* cached_by : {"q", "nothing"}) {
    const Diffed of(CachedRun({4, 5, 6}, cached_by), CachedRun({4, 5, 7}, cached_by));
    EXPECT_THAT(of.diff.differences, SizeIs(3)) << cached_by;
  }
}

TEST(LedgerDiff, KnowsAnotherDistribution) {
  const Diffed moved(QueryRun({}), QueryRun({.aggregated = {{1}, {3, 2}}}));
  EXPECT_FALSE(moved.diff.Differs());
  EXPECT_THAT(moved.diff.differences, IsEmpty());
  // Another number of partitions: totals.
  const Diffed coalesced(QueryRun({}), QueryRun({.partitions = 1, .aggregated = {{3, 2, 1}}}));
  EXPECT_FALSE(coalesced.diff.Differs());
  EXPECT_EQ(coalesced.diff.compared, 5);
  const Diffed other(QueryRun({}), QueryRun({.partitions = 1, .aggregated = {{3, 2, 9}}}));
  EXPECT_THAT(other.Lines(), ElementsAre("HashAggregate [loreId=1] departs"));
  EXPECT_TRUE(other.First().in_total);
  EXPECT_THAT(other.First().partitions, IsEmpty());
}

// Project 1 (stage 1) <- Sort 2 <- Exchange 3 <- WindowGroupLimit 4 <- Scan 5 (stage 0): the limit
// leaves the first rows of each partition.
TestRun LimitedRun(std::vector<Rows> scanned, std::vector<Rows> limited, const Rows& ranked) {
  TestRun run;
  run.Explain("q", 3,
              {{1, "Project", 0},
               {2, "Sort", 1},
               {3, "ShuffleExchange", 2},
               {4, "WindowGroupLimit", 3},
               {5, "Scan parquet", 4}});
  run.Job(0, {{0, {{0, "FragmentRDD", {}}}}, {1, {{1, "FragmentRDD", {0}, 1}}}}, 3);
  Rows sorted;
  for (size_t i = 0; i < 2; ++i) {
    const auto partition = static_cast<int64_t>(i);
    run.Task({.stage = 0, .partition = partition, .id = partition},
             {OperatorRows("q", 5, scanned[i]), OperatorRows("q", 4, limited[i])});
    sorted.insert(sorted.end(), limited[i].begin(), limited[i].end());
  }
  run.Task({.stage = 1, .partition = 0, .id = 10},
           {OperatorRows("q", 2, sorted), OperatorRows("q", 1, ranked)});
  return run.End();
}

TEST(LedgerDiff, ForgivesWhatComesToTheSameFurtherOn) {
  const TestRun run = LimitedRun({{1, 2}, {3, 4}}, {{1}, {3}}, {1});
  const Diffed moved(run, LimitedRun({{1, 3}, {2, 4}}, {{1}, {2}}, {1}));
  EXPECT_THAT(moved.Lines(),
              ElementsAre("WindowGroupLimit [loreId=4] departs", "Sort [loreId=2] inherits"));
  EXPECT_TRUE(moved.First().absorbed);
  EXPECT_FALSE(moved.diff.Differs());
  // Of the same input, or with another end, it is not.
  EXPECT_TRUE(Diffed(run, LimitedRun({{1, 2}, {3, 4}}, {{1}, {4}}, {1})).diff.Differs());
  EXPECT_TRUE(Diffed(run, LimitedRun({{1, 3}, {2, 4}}, {{1}, {2}}, {2})).diff.Differs());
}

TEST(LedgerDiff, ComparesNoTotalsWhereAPartitionIsMissing) {
  const Diffed of(QueryRun({}), QueryRun({.partitions = 3, .aggregated = {{1, 2}, {3}}}));
  EXPECT_EQ(of.diff.compared, 4);
  EXPECT_FALSE(of.diff.Differs());
  const ComparedPair& aggregate = of.diff.pairs[0];
  EXPECT_EQ(of.left_graph.NameOf(aggregate.left), "HashAggregate [loreId=1]");
  EXPECT_EQ(aggregate.unknown,
            "2 partitions in one run, 3 in the other, and not all of them were recorded whole");
}

TEST(LedgerDiff, CountsPartitionsThatOneRunLacks) {
  const Diffed of(QueryRun({}), QueryRun({.aggregated = {{1, 2}}}));
  EXPECT_FALSE(of.diff.Differs());
  EXPECT_EQ(of.diff.pairs[0].agreement, Agreement::kEqual);
  EXPECT_EQ(of.diff.pairs[0].partitions_uncompared, 1);
}

TEST(LedgerDiff, KeepsOrdersApart) {
  const Diffed of(QueryRun({}), QueryRun({.projected = {2, 1, 3}}));
  EXPECT_FALSE(of.diff.Differs());
  EXPECT_THAT(of.LinesOf(of.diff.orders),
              ElementsAre("Project [loreId=3] departs", "ShuffleExchange [loreId=2] inherits"));
}

TEST(LedgerDiff, TakesTheLastSuccessfulAttempt) {
  TestRun retried = QueryRun({});
  retried.Task({.stage = 1, .partition = 0, .id = 30, .attempt = 1, .success = false},
               {OperatorRows("q", 1, {99})});
  retried.Task({.stage = 1, .partition = 1, .id = 31, .stage_attempt = 1},
               {OperatorRows("q", 1, {8})});
  const Diffed of(QueryRun({}), retried);
  EXPECT_THAT(of.Lines(), ElementsAre("HashAggregate [loreId=1] departs"));
  EXPECT_THAT(of.First().partitions, ElementsAre(1));
}

TestRun RddRun(int64_t first_id, const Rows& mapped, const Rows& reduced, bool moved = false) {
  TestRun run;
  const int64_t id = first_id;
  run.Job(0,
          {{0, {{id + 1, "map", {id}}, {id, "makeRDD", {}}}}, {1, {{id + 2, "reduce", {id + 1}}}}});
  run.Task({.stage = 0, .partition = 0, .id = 0}, {ShuffleRows(id, id + 1, mapped)});
  run.Task({.stage = 0, .partition = 1, .id = 1}, {ShuffleRows(id, id + 1, {5})});
  run.Task({.stage = 1, .partition = moved ? 1 : 0, .id = 2}, {ResultRows(id + 2, reduced)});
  run.Task({.stage = 1, .partition = moved ? 0 : 1, .id = 3}, {ResultRows(id + 2, {})});
  return run.End();
}

TEST(LedgerDiff, WalksRdds) {
  EXPECT_FALSE(Diffed(RddRun(0, {1}, {1}), RddRun(0, {1}, {1})).diff.Differs());
  const Diffed of(RddRun(0, {1}, {1}), RddRun(0, {2}, {2}));
  EXPECT_THAT(of.Lines(), ElementsAre("#1 map map at app.py:1 departs",
                                      "#2 reduce reduce at app.py:2 inherits"));
  EXPECT_THAT(of.First().partitions, ElementsAre(0));
}

// What is put together for each partition of the shuffle depends on which there are.
TEST(LedgerDiff, ForgivesAnRddWhoseReaderHasTheSameRowsElsewhere) {
  const Diffed moved(RddRun(0, {1}, {1}), RddRun(0, {2}, {1}, true));
  EXPECT_THAT(moved.Lines(), ElementsAre("#1 map map at app.py:1 departs"));
  EXPECT_TRUE(moved.First().reader_distributed);
  EXPECT_FALSE(moved.diff.Differs());
  EXPECT_TRUE(Diffed(RddRun(0, {1}, {1}), RddRun(0, {2}, {1})).diff.Differs());
}

// Twins: queries of one plan and shuffles of one RDD, in the order in which threads came to them.
TestRun TwinRun(const std::vector<Rows>& given) {
  TestRun run;
  for (size_t i = 0; i < given.size(); ++i) {
    const auto stage = static_cast<int64_t>(2 * i);
    const std::string query = fmt::format("q{}", i);
    run.Explain(query, stage, {{1, "Range", 0, "r"}});
    run.Job(stage, {{stage, {{9, "FragmentRDD", {}, 1}}}}, stage);
    run.Task({.stage = stage, .partition = 0, .id = stage}, {OperatorRows(query, 1, given[i])});
    run.Job(stage + 1, {{stage + 1, {{1, "map", {}, 1}}}});
    run.Task({.stage = stage + 1, .partition = 0, .id = stage + 1},
             {ShuffleRows(stage, 1, given[i])});
  }
  return run.End();
}

TEST(LedgerDiff, PairsTwinsThatGaveTheSame) {
  const TestRun run = TwinRun({{1}, {2}, {3}});
  EXPECT_FALSE(Diffed(run, TwinRun({{3}, {1}, {2}})).diff.Differs());
  const Diffed of(run, TwinRun({{3}, {7}, {1}}));
  EXPECT_THAT(of.Lines(),
              ElementsAre("Range [loreId=1] departs", "#1 map map at app.py:1 departs"));
  EXPECT_EQ(of.diff.compared, 6);
}

TEST(LedgerDiff, SaysWhatHasNoCounterpart) {
  const Diffed of(RddRun(0, {1}, {1}), QueryRun({}));
  EXPECT_EQ(of.diff.compared, 0);
  EXPECT_THAT(of.diff.matched.left_only, SizeIs(2));
  EXPECT_THAT(of.diff.matched.right_only, SizeIs(5));
}

TEST(LedgerDiff, NeverClaimsWhatATornFileLacks) {
  const TestRun whole = QueryRun({});
  TestRun torn = QueryRun({});
  const std::string checksums = torn.checksums;
  for (size_t size = 0; size < checksums.size() - 1; ++size) {
    torn.checksums = checksums.substr(0, size);
    const LogFolder folder;
    const Result<Ledger> ledger = LoadLedger(torn.Write(folder, "run"));
    if (!ledger.ok()) continue;
    const Diffed of(whole, torn);
    EXPECT_FALSE(of.diff.Differs()) << size;
    int64_t lacking = static_cast<int64_t>(of.diff.matched.left_only.size());
    for (const ComparedPair& pair : of.diff.pairs) {
      lacking += pair.partitions_uncompared;
      if (pair.agreement == Agreement::kUnknown) ++lacking;
    }
    EXPECT_GT(lacking, 0) << size;
  }
}

}  // namespace
}  // namespace reprise
