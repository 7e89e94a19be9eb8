// Runs the subcommands that read event logs.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "eventlog/log_testing.h"

namespace reprise {
namespace {

using testing::HasSubstr;
using testing::Not;

class LogProgram : public testing::Test {
 protected:
  nlohmann::json Json(const std::string& arguments) {
    const Ran ran = RunProgram(arguments + " --json " + log_);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return nlohmann::json::parse(ran.out);
  }

  LogFolder folder_;
  std::string log_ = folder_.Write("app-1", SmallLog());
};

TEST_F(LogProgram, ListsRdds) {
  const Ran ran = RunProgram("rdds " + log_);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "#0: ParallelCollectionRDD makeRDD at <console>:12\n"
            "#1: MapPartitionsRDD map at <console>:14\n"
            "#2: ShuffledRDD reduceByKey at <console>:16\n");
  EXPECT_EQ(ran.err, "");
  const nlohmann::json json = Json("rdds");
  EXPECT_EQ(json["application"]["sparkVersion"], "4.1.3");
  EXPECT_EQ(json["log"]["events"], 14);
  EXPECT_EQ(json["rdds"][2], nlohmann::json::parse(R"({"id":2,"name":"ShuffledRDD",
      "callSite":"reduceByKey at <console>:16","scope":null,"parents":[1],"partitions":3,
      "storageLevel":"MEMORY_AND_DISK","unpersisted":false,"barrier":false,
      "determinism":"UNORDERED"})"));
}

TEST_F(LogProgram, EscapesControlCharacters) {
  std::string text = SmallLog();
  for (const std::string_view site : {"map at <console>:14", "stage 0", "/ by zero"}) {
    for (size_t at = 0; (at = text.find(site, at)) != std::string::npos; at += site.size() + 10) {
      text.insert(at, "\\u001b[2J\\n");
    }
  }
  const std::string log = folder_.Write("controls", text);
  EXPECT_THAT(RunProgram("rdds " + log).out,
              HasSubstr("#1: MapPartitionsRDD \\u001b[2J\\u000amap at <console>:14\n"));
  EXPECT_THAT(RunProgram("stages " + log).out, HasSubstr("\\u001b[2J\\u000astage 0\n"));
  for (const char* subcommand : {"rdds ", "stages ", "tasks ", "explain "}) {
    EXPECT_THAT(RunProgram(subcommand + log).out, Not(HasSubstr("\x1b"))) << subcommand;
  }
}

TEST_F(LogProgram, ListsStages) {
  const Ran ran = RunProgram("stages " + log_);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out,
              HasSubstr("    0  complete  0         2  4 ms  210 rows, 180 B  90 rows, 90 B"
                        "  150 rows, 120 B  270 rows, 240 B  0 1   stage 0\n"));
  EXPECT_THAT(ran.out, HasSubstr("    2  skipped   1         2 "));
  const nlohmann::json json = Json("stages");
  EXPECT_EQ(json["stages"][2]["state"], "skipped");
  EXPECT_EQ(json["stages"][0]["attempts"][0]["completed"], 9);
  EXPECT_EQ(json["jobs"][0]["sql"], 6);
}

TEST_F(LogProgram, ListsTasks) {
  const Ran ran = RunProgram("tasks " + log_);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("    0        0      3       1           100 ms  300 ms   300 ms  "
                                 "1.0 x  1 on 7        21 ms     24 B\n"));
  EXPECT_THAT(ran.out, HasSubstr("stage 0.0: 1 task failed, first 1: ExceptionFailure: "
                                 "java.lang.ArithmeticException: / by zero\n"));
  const nlohmann::json tasks = Json("tasks --stage 0")["stages"][0]["attempts"][0]["tasks"];
  EXPECT_EQ(tasks["slowest"]["durationMs"], 300);
  EXPECT_EQ(tasks["skew"], 1.0);
  EXPECT_EQ(tasks["failures"][0]["count"], 1);
  const Ran refused = RunProgram("tasks --stage 9 " + log_);
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err, "reprise: there is no stage 9; the log tells of stages 0 to 2\n");
}

TEST_F(LogProgram, ReportsDamageAndGoesOn) {
  const std::string log = folder_.Write("damaged", SmallLog() + "rubbish\n");
  const Ran ran = RunProgram("rdds " + log);
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("#2: ShuffledRDD"));
  EXPECT_EQ(ran.err, "reprise: skipped: damaged line 15: expected {\"Event\":…, found rubbish\n");
}

TEST_F(LogProgram, RefusesOtherFiles) {
  const std::string other = folder_.Write("other/file", "rubbish\n");
  for (const char* subcommand : {"rdds", "stages", "tasks"}) {
    const Ran ran = RunProgram(std::string(subcommand) + " " + other);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr("reprise: " + other + " is no event log: it begins with"));
  }
  EXPECT_THAT(RunProgram("rdds /nowhere").err, HasSubstr("there is no /nowhere"));
}

TEST_F(LogProgram, DrawsTheLineage) {
  const std::string dot = folder_ / "rdds.dot";
  const Ran ran = RunProgram("lineage " + log_ + " -o " + dot);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, dot + ": 2 stages, 3 RDD boxes, 1 shuffle arrow\n");
  std::ifstream file(dot);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_THAT(text, HasSubstr("  s0r1 -> s1r2 [color=red"));
  EXPECT_EQ(Json("lineage --stage 1")["lineage"]["edges"][0]["fromRdd"], 1);
  EXPECT_EQ(RunProgram("lineage " + log_).err,
            "reprise: nowhere to draw: give -o FILE, or --json\n");
  EXPECT_THAT(RunProgram("lineage -o x.gif " + log_).err,
              HasSubstr("expected a name that ends in .svg, .png, .pdf or .dot"));
  EXPECT_EQ(RunProgram("lineage --job 1 --stage 2 -o x.svg " + log_).status, 2);
}

TEST_F(LogProgram, ComparesTwoRuns) {
  const Ran same = RunProgram("diff " + log_ + " " + log_);
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_EQ(same.out, "2 stages in both, 0 differences: structure and rows are the same.\n");
  std::vector<std::string> lines = SmallLogLines();
  lines.erase(lines.begin() + 7);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  const Ran ran = RunProgram("diff " + log_ + " " + folder_.Write("app-2", text));
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("    0       0  stage 0  partitions 2 -> 1 (0.50 x)\n"
                                 "                        input rows 140 -> 70 (0.50 x)\n"));
  EXPECT_THAT(ran.out, HasSubstr("2 stages in both, 1 difference: structure and rows DIFFER.\n"));
}

constexpr const char* kQuery =
    R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":6,)"
    R"("description":"collect at x","sparkPlanInfo":{"nodeName":"Sort","simpleString":"Sort [k]",)"
    R"("children":[{"nodeName":"RepriseFilter","simpleString":"RepriseFilter (a) [loreId=5]",)"
    R"("children":[],"metrics":[]}],"metrics":[]},"time":3})"
    "\n";
constexpr const char* kVerdicts =
    R"({"Event":"reprise.event.PlanExplained","executionId":6,"query":"q","planning":1,"operators":[)"
    R"({"id":1,"loreId":4,"name":"Sort","occurrence":"Sort#0","fingerprint":"00112233445566aa",)"
    R"("native":false,"depth":0,"reasons":["first why","second why"],"parent":0},)"
    R"({"id":2,"loreId":5,"name":"RepriseFilter","occurrence":"Filter#0","fingerprint":"00112233445566bb",)"
    R"("native":true,"depth":1,"reasons":[],"parent":1}]})"
    "\n";

TEST_F(LogProgram, ExplainsQueries) {
  log_ = folder_.Write("app-2", SmallLog() + kQuery + kVerdicts);
  const Ran ran = RunProgram("explain " + log_);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "SQL 6: collect at x\n"
            "  LORE id  operator         name#occurrence  fingerprint       native\n"
            "        4  Sort             Sort#0           00112233445566aa  no: first why\n"
            "                                                               no: second why\n"
            "        5    RepriseFilter  Filter#0         00112233445566bb  yes\n");
  EXPECT_THAT(RunProgram("explain --not-native --sql 6 " + log_).out,
              Not(HasSubstr("RepriseFilter")));
  EXPECT_EQ(Json("explain")["sql"][0]["queries"][0]["operators"][1]["loreId"], 5);
  EXPECT_THAT(RunProgram("explain --sql 7 " + log_).err, HasSubstr("there is no SQL query 7"));
  EXPECT_THAT(RunProgram("explain --tree " + log_).err, HasSubstr("--tree and --conf need plan"));
}

// Aggregate 1 <- Exchange 2 <- Aggregate 3, a stage each; and what fills a cache.
constexpr const char* kStages =
    R"({"Event":"reprise.event.PlanExplained","executionId":-1,"query":"c","planning":1,"operators":[)"
    R"({"id":1,"loreId":1,"name":"Range","occurrence":"Range#0","fingerprint":"00000000000000c1",)"
    R"("native":true,"reasons":[],"parent":0}]})"
    "\n"
    R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":7,)"
    R"("description":"collect at y","sparkPlanInfo":{"nodeName":"AdaptiveSparkPlan","simpleString":"",)"
    R"("children":[{"nodeName":"HashAggregate","simpleString":"","children":[{"nodeName":"Exchange",)"
    R"("simpleString":"","children":[{"nodeName":"HashAggregate","simpleString":"","children":[)"
    R"({"nodeName":"LocalTableScan","simpleString":"","children":[],"metrics":[]}],"metrics":[]}],)"
    R"("metrics":[]}],"metrics":[]}],"metrics":[]},"time":3})"
    "\n"
    R"({"Event":"reprise.event.PlanExplained","executionId":7,"query":"q","planning":2,"operators":[)"
    R"({"id":5,"loreId":2,"name":"ShuffleExchange","occurrence":"ShuffleExchange#0",)"
    R"("fingerprint":"00000000000000a2","native":true,"reasons":[],"parent":0},)"
    R"({"id":6,"loreId":3,"name":"HashAggregate","occurrence":"HashAggregate#1",)"
    R"("fingerprint":"00000000000000a3","native":false,"reasons":["why"],"parent":5}]})"
    "\n"
    R"({"Event":"reprise.event.PlanExplained","executionId":7,"query":"q","planning":3,"operators":[)"
    R"({"id":1,"loreId":1,"name":"HashAggregate","occurrence":"HashAggregate#0",)"
    R"("fingerprint":"00000000000000a1","native":true,"reasons":[],"parent":0}]})"
    "\n";

TEST_F(LogProgram, ExplainsStagesOfAQueryTogether) {
  log_ = folder_.Write("app-2", SmallLog() + kStages);
  EXPECT_EQ(RunProgram("explain " + log_).out,
            "Outside of SQL executions, as what fills a cache:\n"
            "  LORE id  operator  name#occurrence  fingerprint       native\n"
            "        1  Range     Range#0          00000000000000c1  yes\n"
            "\n"
            "SQL 7: collect at y\n"
            "  LORE id  operator              name#occurrence    fingerprint       native\n"
            "        1  HashAggregate         HashAggregate#0    00000000000000a1  yes\n"
            "        2    ShuffleExchange     ShuffleExchange#0  00000000000000a2  yes\n"
            "        3      HashAggregate     HashAggregate#1    00000000000000a3  no: why\n"
            "        4        LocalTableScan                                       did not run\n");
  EXPECT_EQ(Json("explain")["sql"][1]["queries"][0]["operators"][2]["parent"], 2);
  // A query that takes others' operators in tells of them itself.
  log_ = folder_.Write(
      "app-3",
      SmallLog() + kStages +
          R"({"Event":"reprise.event.PlanExplained","executionId":7,"query":"q","planning":4,)"
          R"("replaces":["c"],"operators":[]})"
          "\n");
  EXPECT_THAT(RunProgram("explain " + log_).out, Not(HasSubstr("Range")));
}

TEST_F(LogProgram, ExplainSaysWhereRepriseWroteNothing) {
  log_ = folder_.Write("app-2", SmallLog() + kQuery);
  EXPECT_EQ(RunProgram("explain " + log_).out,
            "SQL 6: collect at x\n"
            "  The log holds no event of Reprise about it: it ran without the plug-in, or with one "
            "that was switched off.\n"
            "  Spark's own plan:\n"
            "  LORE id  operator\n"
            "           Sort [k]\n"
            "        5    RepriseFilter (a) [loreId=5]\n");
  EXPECT_EQ(RunProgram("explain " + folder_.Write("app-3", SmallLog())).out,
            "The log tells of no SQL query.\n");
}

}  // namespace
}  // namespace reprise
