#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "qualify/native_functions.h"
#include "qualify/qualification.h"
#include "report/report_testing.h"
#include "rules/python_translation.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kParquet =
    "FileScan parquet [k#1,v#2L] Batched: true, DataFilters: [], Format: Parquet, Location: "
    "InMemoryFileIndex(1 paths)[file:/t], PartitionFilters: [], PushedFilters: [], ReadSchema: "
    "struct<k:int,v:bigint>";

TEST(NativeFunctions, AreKnownByWhatPlansCallThem) {
  for (const char* name : {"partial_sum", "merge_avg", "date_add", "trim", "stddev_samp", "stddev",
                           "cast", "row_number", "hash", "coalesce"}) {
    EXPECT_TRUE(IsNativeFunction(name)) << name;
  }
  for (const char* name : {"upper", "regexp_replace", "from_json", "percentile", "f"}) {
    EXPECT_FALSE(IsNativeFunction(name)) << name;
  }
}

TEST(FunctionsIn, LeavesOutOperatorsColumnsAndPlacesOfRows) {
  EXPECT_THAT(FunctionsIn("Project [regexp_replace(s#1, a, b, 1) AS r#2, upper(trim(s#1, None))]"),
              ElementsAre("regexp_replace", "upper", "trim"));
  EXPECT_THAT(FunctionsIn("HashAggregate(keys=[regexp_extract(s#1, a(b), 1)#3], "
                          "functions=[partial_sum(v#4)])"),
              ElementsAre("partial_sum"));
  EXPECT_THAT(FunctionsIn("Exchange hashpartitioning(k#1, 200), ENSURE_REQUIREMENTS"), IsEmpty());
}

// Each has counted rows, so that it has run.
std::vector<Forecast> Foretold(std::vector<LoggedNode> nodes, std::string_view spark = "4.1.3") {
  for (LoggedNode& node : nodes) node.metrics = {{"number of output rows", 1}};
  TestApplication application;
  application.Query(nodes).Stage({{.ms = 1000}}, 1000);
  const Report report = application.Tell();
  return WouldRun(report.queries.front().plan, spark);
}

TEST(WouldRun, WhatReadsParquetIsNative) {
  const auto forecasts =
      Foretold({{0, "HashAggregate", "HashAggregate(keys=[k#1], functions=[sum(v#2L)])"},
                {1, "Exchange", "Exchange hashpartitioning(k#1, 4)"},
                {2, "Filter", "Filter isnotnull(k#1)"},
                {3, "Scan parquet ", kParquet}});
  ASSERT_EQ(forecasts.size(), 4);
  for (const Forecast& forecast : forecasts) EXPECT_EQ(forecast.runs, RunsIn::kNative);
}

TEST(WouldRun, SaysWhatSparkEvaluates) {
  const auto forecasts = Foretold({{0, "Project", "Project [regexp_replace(s#1, a, b, 1) AS r#2]"},
                                   {1, "Scan parquet ", kParquet}});
  EXPECT_EQ(forecasts[0].runs, RunsIn::kGuest);
  EXPECT_EQ(forecasts[0].reason, "Spark evaluates regexp_replace");
}

TEST(WouldRun, LeavesWhatHasRowsAroundItToSpark) {
  const auto forecasts = Foretold({{0, "Sort", "Sort [k#2 ASC NULLS FIRST], true, 0"},
                                   {1, "Exchange", "Exchange rangepartitioning(k#2, 4)"},
                                   {2, "MapElements", "MapElements f"},
                                   {3, "Project", "Project [v#2]"},
                                   {4, "Filter", "Filter isnotnull(k#1)"},
                                   {5, "Scan avro ", "FileScan avro [k#1] Format: Avro"}});
  EXPECT_EQ(forecasts[5].reason,
            "it reads avro, and only Parquet, ORC, CSV, JSON and text are read natively");
  EXPECT_EQ(forecasts[4].reason, "both its neighbours are row-based");
  EXPECT_EQ(forecasts[3].reason, "both its neighbours are row-based");
  EXPECT_EQ(forecasts[1].reason, "its input is row-based");
  EXPECT_EQ(forecasts[0].runs, RunsIn::kNative);
}

TEST(WouldRun, ParquetIsWrittenNatively) {
  const auto written = [](const std::string& format) {
    return Foretold({{0, "Execute InsertIntoHadoopFsRelationCommand",
                      "Execute InsertIntoHadoopFsRelationCommand file:/t, false, " + format +
                          ", [path=file:/t], Append, [k]"},
                     {1, "WriteFiles", "WriteFiles"},
                     {2, "Filter", "Filter isnotnull(k#1)"},
                     {3, "Scan parquet ", kParquet}});
  };
  EXPECT_EQ(written("Parquet")[0].reason, "Spark writes tables and files");
  EXPECT_EQ(written("Parquet")[1].runs, RunsIn::kNative);
  EXPECT_EQ(written("ORC")[1].reason, "only files of Parquet are written natively");
}

TEST(WouldRun, WhatIsSparksBefore4StaysSparks) {
  const std::vector<LoggedNode> nodes = {
      {0, "Execute InsertIntoHadoopFsRelationCommand",
       "Execute InsertIntoHadoopFsRelationCommand file:/t, false, Parquet, [path=file:/t]"},
      {1, "WriteFiles", "WriteFiles"},
      {2, "MapInPandas", "MapInPandas f(k#1)#2, [k#3]"},
      {3, "Scan parquet ", kParquet}};
  const auto earlier = Foretold(nodes, "3.5.9");
  EXPECT_EQ(earlier[1].reason, "Spark before 4.0 writes files itself");
  EXPECT_EQ(earlier[2].reason, kOtherThread);
  EXPECT_EQ(earlier[3].runs, RunsIn::kNative);
  for (const size_t i : {1, 2}) EXPECT_NE(Foretold(nodes, "4.0.4")[i].runs, RunsIn::kSpark);
}

TEST(WouldRun, TurnsRowsIntoColumnsWhereItPays) {
  const auto forecasts =
      Foretold({{0, "HashAggregate", "HashAggregate(keys=[k#1], functions=[sum(v#2)])"},
                {1, "Filter", "Filter isnotnull(k#1)"},
                {2, "Scan text ", "FileScan text [k#1] Format: JSON"}});
  EXPECT_EQ(forecasts[1].runs, RunsIn::kNative);
}

TEST(WouldRun, SaysWhyOperatorsStay) {
  const auto forecasts =
      Foretold({{0, "MapElements", "MapElements f"},
                {1, "BatchEvalPython", "BatchEvalPython [f(k#1)#2], [p#3]"},
                {2, "Generate", "Generate json_tuple(k#1, a), [k#1]"},
                {3, "Scan json ", "FileScan json Format: JSON, Bucketed: true"}});
  EXPECT_EQ(forecasts[0].reason, "its functions take objects of the JVM");
  EXPECT_THAT(forecasts[1].reason, HasSubstr("pickled rows"));
  EXPECT_THAT(forecasts[2].reason, HasSubstr("explode"));
  EXPECT_THAT(forecasts[3].reason, HasSubstr("it reads buckets"));
}

TEST(WouldRun, FilesAreReadNativelyByTheirFormat) {
  for (const char* scan : {"FileScan orc Format: ORC, ReadSchema: struct<k:int,s:array<string>>",
                           "FileScan parquet Format: Parquet, ReadSchema: struct<a:array<int>>",
                           "FileScan json Format: JSON, ReadSchema: struct<k:int,a:array<int>>",
                           "FileScan csv Format: CSV, ReadSchema: struct<k:int>"}) {
    const std::string text = scan;
    const std::string name = "Scan " + text.substr(9, text.find(' ', 9) - 8);
    EXPECT_EQ(Foretold({{0, name, text}})[0].runs, RunsIn::kNative) << scan;
  }
}

const std::vector<LoggedNode> kNativeQuery = {
    {0,
     "HashAggregate",
     "HashAggregate(keys=[k#1], functions=[sum(v#2L)])",
     {{"number of output rows", 10}}},
    {1, "Scan parquet ", kParquet, {{"number of output rows", 1000}}}};

TEST(Qualify, GivesATimeWithinBounds) {
  TestApplication application(1);
  application.Query(kNativeQuery).Stage({{.ms = 10'000}}, 10'000).Wait(2000);
  const Report report = application.Tell();
  const Qualification all = Qualify(report).ValueOrDie();
  EXPECT_DOUBLE_EQ(all.native_share, 1);
  EXPECT_DOUBLE_EQ(all.wall_ms, 12'000);
  // What the driver does takes as long as before.
  EXPECT_GT(all.native_wall_ms.least, 2000);
  EXPECT_LT(all.native_wall_ms.least, all.native_wall_ms.expected);
  EXPECT_LT(all.native_wall_ms.expected, all.native_wall_ms.most);
  EXPECT_LT(all.native_wall_ms.most, 12'000);
  EXPECT_THAT(all.obstacles, IsEmpty());
}

TEST(Qualify, GainsNothingWhereSparkRunsAll) {
  TestApplication application(1);
  application.Query({{0, "MapElements", "MapElements f", {{"number of output rows", 10}}}})
      .Stage({{.ms = 10'000}}, 10'000);
  const Report report = application.Tell();
  const Qualification all = Qualify(report).ValueOrDie();
  EXPECT_DOUBLE_EQ(all.native_share, 0);
  EXPECT_DOUBLE_EQ(all.native_wall_ms.expected, all.wall_ms);
  ASSERT_EQ(all.obstacles.size(), 1);
  EXPECT_GT(all.obstacles[0].seconds, 1);
}

TEST(Qualify, CountsTimeWithoutAQueryAsItIs) {
  TestApplication application(1);
  application.Stage({{.ms = 10'000}}, 10'000).Query(kNativeQuery).Stage({{.ms = 10'000}}, 10'000);
  const Report report = application.Tell();
  const Qualification all = Qualify(report).ValueOrDie();
  EXPECT_DOUBLE_EQ(all.native_share, 0.5);
  EXPECT_GT(all.native_wall_ms.expected, 10'000);
}

TEST(Qualify, RefusesApplicationsWithThePlugin) {
  TestApplication application(1);
  application.Query(kNativeQuery).Explain({{"HashAggregate", ""}}).Stage({{.ms = 100}}, 100);
  const Report report = application.Tell();
  EXPECT_THAT(Qualify(report).status().message(), HasSubstr("`reprise report LOG`"));
}

}  // namespace
}  // namespace reprise
