// Each kind of finding: an application that has it, and one beside it that must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "report/report_testing.h"

namespace reprise {
namespace {

using testing::HasSubstr;

constexpr int64_t kMillion = 1'000'000;

std::vector<EndedTask> Tasks(size_t count, const EndedTask& task) { return {count, task}; }

std::vector<EndedTask> With(std::vector<EndedTask> tasks, const EndedTask& last) {
  tasks.push_back(last);
  return tasks;
}

EndedTask Reading(int64_t ms, int64_t bytes) {
  return {.ms = ms, .figures = {.shuffle_read_bytes = bytes}};
}

// A stage that is as it should be, for applications that need one.
TestApplication& Plain(TestApplication& application) {
  return application.Stage(Tasks(8, {.ms = 2000}), 4000);
}

// A join of two shuffled sides, of so many bytes each.
std::vector<LoggedNode> ShuffledJoin(int64_t small, int64_t large) {
  return {{0, "SortMergeJoin", "", {{"number of output rows", 1000}}},
          {1, "Sort", "", {{"sort time", 500}}},
          {2, "Exchange", "", {{"data size", small}, {"shuffle records written", 10}}},
          {1, "Sort", "", {{"sort time", 9000}}},
          {2, "Exchange", "", {{"data size", large}, {"shuffle records written", 900}}}};
}

std::vector<LoggedNode> Scan(const std::string& name, int64_t files, int64_t bytes,
                             int64_t ms = 1) {
  return {{0,
           name,
           "",
           {{"number of files read", files},
            {"size of files read", bytes},
            {"metadata time", ms},
            {"number of output rows", 100}}}};
}

std::vector<LoggedNode> Join(const std::string& name, int64_t rows, int64_t into) {
  return {{0, name, "", {{"number of output rows", rows}}},
          {1, "Scan parquet a", "", {{"number of output rows", into}}},
          {1, "Scan parquet b", "", {{"number of output rows", into}}}};
}

std::vector<LoggedNode> Broadcast(int64_t bytes, int64_t ms) {
  return {{0, "BroadcastExchange", "", {{"data size", bytes}, {"time to collect", ms}}}};
}

std::vector<LoggedNode> FilterOnJoin(int64_t kept) {
  return {{0, "Filter", "", {{"number of output rows", kept}}},
          {1, "Project"},
          {2, "SortMergeJoin", "", {{"number of output rows", 1000}}},
          {3, "Range", "", {{"number of output rows", 900}}},
          {3, "Range", "", {{"number of output rows", 900}}}};
}

std::vector<LoggedNode> Window(const std::string& partitioning, int64_t rows) {
  return {{0, "Window", "", {{"spill size", 0}}},
          {1, "Exchange", "Exchange " + partitioning, {{"shuffle records written", rows}}}};
}

TestApplication& AllRowsInOneTask(TestApplication& application, const std::string& partitioning,
                                  int64_t rows) {
  application.Query(Window(partitioning, rows));
  application.Stage(Tasks(8, {.ms = 2000}), 4000, 2, 2);
  return application.Stage({{.ms = 8000}}, 8000, 1, 1);
}

struct Case {
  std::function<Report(TestApplication&)> has;
  std::function<Report(TestApplication&)> has_not;
  std::string tells = {};  ///< part of title, evidence or what to paste
};

using App = TestApplication;

// By kind. What is beside it differs in the one thing that makes the difference.
const std::map<std::string, Case> kCases = {
    {"skew",
     {[](App& app) {
        return app
            .Stage(With(Tasks(9, Reading(1000, kMillion)), Reading(20000, 90 * kMillion)), 20000)
            .Tell();
      },
      [](App& app) { return app.Stage(Tasks(10, Reading(3000, 10 * kMillion)), 8000).Tell(); },
      "task 9 on executor 1 ran 20.00 s and read 90.0 MB; the median task ran 1.00 s"}},
    {"straggler",
     {[](App& app) {
        return app.Stage(With(Tasks(9, Reading(1000, kMillion)), Reading(20000, kMillion)), 20000)
            .Tell();
      },
      [](App& app) {
        return app.Stage(With(Tasks(9, Reading(1000, kMillion)), Reading(2000, kMillion)), 4000)
            .Tell();
      },
      "spark.speculation=true"}},
    {"few-tasks",
     {[](App& app) { return app.Stage(Tasks(2, Reading(8000, kMillion)), 8000).Tell(); },
      [](App& app) { return app.Stage(Tasks(4, Reading(8000, kMillion)), 8000).Tell(); },
      "spark.sql.adaptive.coalescePartitions.minPartitionNum=8"}},
    {"tiny-tasks",
     {[](App& app) {
        return app.Stage(Tasks(2000, {.ms = 10, .figures = {.run_ms = 4}}), 5000).Tell();
      },
      [](App& app) {
        return app.Stage(Tasks(20, {.ms = 1000, .figures = {.run_ms = 990}}), 5000).Tell();
      },
      "spark.sql.shuffle.partitions=12"}},
    {"garbage-collection",
     {[](App& app) {
        return app.Setting("spark.executor.memory", "2g")
            .Stage(Tasks(8, {.ms = 4000, .figures = {.gc_ms = 1000}}), 8000)
            .Tell();
      },
      [](App& app) {
        return app.Stage(Tasks(8, {.ms = 4000, .figures = {.gc_ms = 100}}), 8000).Tell();
      },
      "spark.executor.memory=4096m"}},
    {"unpacking",
     {[](App& app) {
        return app
            .Stage(Tasks(8, {.ms = 4000, .figures = {.run_ms = 2000, .deserialize_ms = 2000}}),
                   8000)
            .Tell();
      },
      [](App& app) {
        return app.Stage(Tasks(8, {.ms = 4000, .figures = {.deserialize_ms = 100}}), 8000).Tell();
      },
      "50 %"}},
    {"fetch-wait",
     {[](App& app) {
        return app.Stage(Tasks(8, {.ms = 4000, .figures = {.fetch_wait_ms = 1500}}), 8000).Tell();
      },
      [](App& app) {
        return app.Stage(Tasks(8, {.ms = 4000, .figures = {.fetch_wait_ms = 100}}), 8000).Tell();
      },
      "spark.reducer.maxSizeInFlight"}},
    {"spill",
     {[](App& app) {
        return app
            .Stage(Tasks(4, {.ms = 9000,
                             .figures = {.peak_memory_bytes = 100 * kMillion,
                                         .spilled_memory_bytes = 900 * kMillion,
                                         .spilled_disk_bytes = 300 * kMillion}}),
                   9000)
            .Tell();
      },
      [](App& app) { return Plain(app).Tell(); }, "spark.sql.shuffle.partitions=44"}},
    {"failed-tasks",
     {[](App& app) {
        return app
            .Stage(With(Tasks(8, {.ms = 1000}), {.ms = 10, .end = "ExecutorLostFailure"}), 2000)
            .Tell();
      },
      [](App& app) {
        return app.Stage(With(Tasks(8, {.ms = 1000}), {.ms = 10, .end = "TaskKilled"}), 2000)
            .Tell();
      },
      "reprise debug-task /tmp/recording --stage 0 --partition 8"}},
    {"retried-stage",
     {[](App& app) {
        return app.Stage(Tasks(8, {.ms = 1000}), 2000).Attempt(Tasks(3, {.ms = 1000}), 1000).Tell();
      },
      [](App& app) {
        return app.Stage(Tasks(8, {.ms = 1000}), 2000).Stage(Tasks(3, {.ms = 1000}), 1000).Tell();
      },
      "Stage 0 ran 2 times"}},
    {"large-result",
     {[](App& app) {
        return app.Stage(Tasks(8, {.ms = 4000, .figures = {.result_bytes = 50 * kMillion}}), 8000)
            .Tell();
      },
      [](App& app) {
        return app.Stage(Tasks(8, {.ms = 4000, .figures = {.result_bytes = kMillion}}), 8000)
            .Tell();
      },
      "400.0 MB to the driver"}},
    {"small-files",
     {[](App& app) {
        return app.Query(Scan("Scan parquet t", 5000, 500 * kMillion))
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      [](App& app) {
        return app.Query(Scan("Scan parquet t", 50, 5000 * kMillion))
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      "5,000 files of 100.0 kB each"}},
    {"small-files-written",
     {[](App& app) {
        return app
            .Query({{0,
                     "Execute InsertIntoHadoopFsRelationCommand",
                     "",
                     {{"number of written files", 800}, {"written output", 80 * kMillion}}}})
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      [](App& app) {
        return app
            .Query({{0,
                     "Execute InsertIntoHadoopFsRelationCommand",
                     "",
                     {{"number of written files", 8}, {"written output", 80 * kMillion}}}})
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      "/*+ REBALANCE */"}},
    {"listing",
     {[](App& app) {
        return app.Query(Scan("Scan parquet t", 10, kMillion, 3000))
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      [](App& app) {
        return app.Query(Scan("Scan parquet t", 10, kMillion, 30))
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      "lists its files for 3.00 s"}},
    {"text-files",
     {[](App& app) {
        return app.Query(Scan("Scan csv t", 10, kMillion))
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      [](App& app) {
        return app.Query(Scan("Scan parquet csv_of_mine", 10, kMillion))
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      "parses CSV"}},
    {"exploding-join",
     {[](App& app) {
        return app.Query(Join("SortMergeJoin", 50 * kMillion, kMillion))
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      [](App& app) {
        return app.Query(Join("SortMergeJoin", 3 * kMillion, kMillion))
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      "gives 25 times the rows that go in"}},
    {"large-broadcast",
     {[](App& app) { return Plain(app.Query(Broadcast(900 * kMillion, 5000))).Tell(); },
      [](App& app) { return Plain(app.Query(Broadcast(9 * kMillion, 500))).Tell(); },
      "spark.sql.autoBroadcastJoinThreshold=450000000"}},
    {"missed-broadcast",
     {[](App& app) {
        return app.Query(ShuffledJoin(2 * kMillion, 4000 * kMillion))
            .Stage(Tasks(8, {.ms = 9000}), 18000)
            .Tell();
      },
      [](App& app) {
        return app.Query(ShuffledJoin(2000 * kMillion, 4000 * kMillion))
            .Stage(Tasks(8, {.ms = 9000}), 18000)
            .Tell();
      },
      "spark.sql.autoBroadcastJoinThreshold=10000000"}},
    {"nested-loop",
     {[](App& app) {
        return app.Query(Join("BroadcastNestedLoopJoin", 5000, 100))
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      [](App& app) {
        return app.Query(Join("BroadcastHashJoin", 5000, 100))
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      "compares every row with every other"}},
    {"late-filter",
     {[](App& app) {
        return app.Query(FilterOnJoin(10)).Stage(Tasks(8, {.ms = 4000}), 8000).Tell();
      },
      [](App& app) {
        return app.Query(FilterOnJoin(900)).Stage(Tasks(8, {.ms = 4000}), 8000).Tell();
      },
      "drops 99 % of what a join has made"}},
    {"python-function",
     {[](App& app) {
        return app
            .Query({{0,
                     "BatchEvalPython",
                     "",
                     {{"time to run Python workers", 30000}, {"number of output rows", 9}}}})
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      [](App& app) {
        return app
            .Query({{0,
                     "ArrowEvalPython",
                     "",
                     {{"time to run Python workers", 30000}, {"number of output rows", 9}}}})
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      "spark.sql.execution.pythonUDF.arrow.enabled=true"}},
    {"one-partition",
     {[](App& app) { return AllRowsInOneTask(app, "SinglePartition", 2 * kMillion).Tell(); },
      [](App& app) { return AllRowsInOneTask(app, "SinglePartition", 20).Tell(); },
      "Window of query 0 gets all 2,000,000 rows in one task"}},
    {"transitions",
     {[](App& app) {
        return app
            .Query({{0, "RepriseFilter", "", {{"own time", 1000}}},
                    {1,
                     "RepriseRowToNative",
                     "",
                     {{"own time", 9000 * kMillion}, {"number of output rows", 5}}}})
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      [](App& app) {
        return app
            .Query({{0, "RepriseNativeToRow", "", {{"own time", 9000 * kMillion}}},
                    {1, "RepriseFilter", "", {{"own time", 1000}}}})
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      "turns 5 rows into columns or back"}},
    {"not-native",
     {[](App& app) {
        return app.Query({{0, "Filter", "", {{"number of output rows", 9}}}})
            .Explain({{"Filter", "because"}})
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      [](App& app) {
        return app
            .Query(
                {{0, "RepriseFilter", "RepriseFilter [loreId=1]", {{"number of output rows", 9}}}})
            .Explain({{"Filter", ""}})
            .Stage(Tasks(8, {.ms = 4000}), 8000)
            .Tell();
      },
      "Filter 1 of query 0 would run natively but for: because"}},
    {"driver-alone",
     {[](App& app) { return Plain(Plain(app).Wait(9000)).Tell(); },
      [](App& app) { return Plain(Plain(app).Wait(900)).Tell(); },
      "9.00 s of 17.00 s without a running stage"}},
    {"lost-executor",
     {[](App& app) {
        return Plain(app.AddExecutor("2", 4).RemoveExecutor("2", "Container exited with code 137"))
            .Tell();
      },
      [](App& app) {
        return Plain(app.AddExecutor("2", 4).RemoveExecutor("2", "Executor killed by driver."))
            .Tell();
      },
      "spark.executor.memoryOverheadFactor"}},
    {"unused-cores",
     {[](App& app) { return Plain(app.AddExecutor("2", 60)).Tell(); },
      [](App& app) { return Plain(app).Tell(); }, "64 cores, and no stage has more than 8 tasks"}},
    {"unused-memory",
     {[](App& app) {
        return app.Setting("spark.executor.memory", "64g")
            .Stage(Tasks(8, {.ms = 2000, .figures = {.peak_memory_bytes = 20 * kMillion}}), 4000)
            .Tell();
      },
      [](App& app) {
        return app.Setting("spark.executor.memory", "64g")
            .Stage(Tasks(8, {.ms = 2000, .figures = {.peak_memory_bytes = 9000 * kMillion}}), 4000)
            .Tell();
      },
      "spark.executor.memory=1024m"}},
    {"unread-cache",
     {[](App& app) { return Plain(app.Cached(7)).Tell(); },
      [](App& app) { return Plain(Plain(app.Cached(7))).Tell(); }, "RDD 7: kept"}},
    {"same-work",
     {[](App& app) {
        for (int i = 0; i < 3; ++i) {
          app.Query({{0, "Filter", "Filter (id#" + std::to_string(i) + " > 1)"}});
          Plain(app);
        }
        return app.Tell();
      },
      [](App& app) {
        for (int i = 0; i < 3; ++i) {
          app.Query({{0, "Filter", "Filter (id#0 > " + std::to_string(i) + ")"}});
          Plain(app);
        }
        return app.Tell();
      },
      "queries 1 2"}}};

// The application is kept by the case's caller: a report looks into it.
Findings OfKind(const std::function<Report(TestApplication&)>& tell, const std::string& kind) {
  Findings of_kind;
  TestApplication application;
  for (const Finding& finding : tell(application).findings) {
    if (finding.kind == kind) of_kind.push_back(finding);
  }
  return of_kind;
}

TEST(Findings, EveryKindIsFoundWhereItIsAndNowhereElse) {
  for (const FindingKind& kind : kFindingKinds) {
    SCOPED_TRACE(kind.name);
    ASSERT_TRUE(kCases.contains(kind.name)) << "no test of this kind";
    const Case& its = kCases.at(kind.name);
    const Findings found = OfKind(its.has, kind.name);
    ASSERT_EQ(found.size(), 1u);
    const Finding& finding = found.front();
    EXPECT_THAT(finding.title + "\n" + finding.evidence + "\n" + finding.paste,
                HasSubstr(its.tells));
    EXPECT_FALSE(finding.remedy.empty());
    EXPECT_FALSE(finding.paste.empty());
    EXPECT_TRUE(OfKind(its.has_not, kind.name).empty());
  }
}

TEST(Findings, TheDearestComesFirst) {
  TestApplication application;
  application.Stage(Tasks(8, {.ms = 4000, .figures = {.gc_ms = 1000}}), 8000);
  application.Stage(Tasks(2, Reading(90000, kMillion)), 90000);
  application.Stage(With(Tasks(8, {.ms = 1000}), {.ms = 1, .end = "FetchFailed"}), 2000);
  const Report report = application.Tell();
  ASSERT_GE(report.findings.size(), 3u);
  EXPECT_EQ(report.findings[0].kind, "few-tasks");
  EXPECT_EQ(report.findings[1].kind, "garbage-collection");
  EXPECT_EQ(report.findings.back().kind, "failed-tasks");  // told, however little it costs
}

}  // namespace
}  // namespace reprise
