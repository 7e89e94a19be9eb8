#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "report/live_report.h"
#include "report/looking.h"
#include "report/operator_labels.h"
#include "report/report_json.h"
#include "report/report_page.h"
#include "report/report_testing.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> Names(const PlanGraph& plan) {
  std::vector<std::string> names;
  for (const GraphNode& node : plan) {
    names.push_back(fmt::format("{} {} {}", node.lore_id, node.operator_name, NameOf(node.runs)));
  }
  return names;
}

// A native aggregate over a filter that Spark runs, in two stages.
TestApplication Mixed() {
  TestApplication application;
  application.Query(
      {{0, "AdaptiveSparkPlan"},
       {1, "ResultQueryStage"},
       {2,
        "RepriseHashAggregate",
        "RepriseHashAggregate [loreId=1]",
        {{"own time", 500'000'000}, {"number of output rows", 3}}},
       {3, "ShuffleQueryStage"},
       {4, "Exchange", "", {{"data size", 99}, {"shuffle records written", 100}}},
       {5, "WholeStageCodegen (1)", "", {{"duration", 700}}},
       {6, "Filter", "", {{"number of output rows", 100}}},
       {7, "Project"},
       {8, "InputAdapter"},
       {9, "Scan json t", "", {{"scan time", 1000}, {"number of output rows", 900}}}});
  application.Explain({{"HashAggregate", ""},
                       {"ShuffleExchange", "not yet"},
                       {"Filter", "rand"},
                       {"Project", "rand"},
                       {"FileSourceScan", "json"}});
  application.Stage({{.ms = 2000}, {.ms = 2000}}, 2000, 3, 8);
  application.Stage({{.ms = 600}}, 600, 1, 2);
  return application;
}

TEST(PlanGraph, JoinsWhatSparkAndThePlugInTell) {
  TestApplication application = Mixed();
  const Report report = application.Tell();
  ASSERT_EQ(report.queries.size(), 1u);
  const PlanGraph& plan = report.queries[0].plan;
  EXPECT_THAT(Names(plan), ElementsAre("1 HashAggregate native", "2 ShuffleExchange spark",
                                       "3 Filter spark", "4 Project spark", "5 Scan json t spark"));
  EXPECT_THAT(plan[2].reasons, ElementsAre("rand"));
  EXPECT_EQ(plan[0].parent, -1);
  EXPECT_EQ(plan[4].parent, 3);
  EXPECT_EQ(RowsInto(plan, 2), 900);  // through the project, which counts none
  EXPECT_EQ(plan[1].rows, 100);
  EXPECT_EQ(plan[1].bytes, 99);
}

TEST(PlanGraph, DividesTheTimeOfAStage) {
  TestApplication application = Mixed();
  const Report report = application.Tell();
  const PlanGraph& plan = report.queries[0].plan;
  EXPECT_FALSE(plan[0].estimated);
  EXPECT_DOUBLE_EQ(plan[0].task_ms, 500);
  EXPECT_THAT(plan[0].stages, ElementsAre(1));
  double spark = 0;
  for (size_t i = 1; i < plan.size(); ++i) {
    EXPECT_TRUE(plan[i].estimated);
    EXPECT_THAT(plan[i].stages, ElementsAre(0)) << i;
    spark += plan[i].task_ms;
  }
  EXPECT_NEAR(spark, 4000, 1e-6);
  EXPECT_GE(plan[4].task_ms, 1000);  // what Spark has measured
  EXPECT_NEAR(report.queries[0].native_ms, 500, 1e-6);
  EXPECT_NEAR(report.queries[0].spark_ms, 4000, 1e-6);
}

TEST(Report, ReadsSizesAsSparkDoes) {
  constexpr int64_t kMebibyte = int64_t{1} << 20;
  EXPECT_EQ(SizeOf("512", kMebibyte), 512 * kMebibyte);
  EXPECT_EQ(SizeOf("4g", 1), 4096 * kMebibyte);
  EXPECT_EQ(SizeOf("4GB", 1), 4096 * kMebibyte);
  EXPECT_EQ(SizeOf("100b", kMebibyte), 100);
  for (const char* wrong : {"", "x", "4q", "-1g", "9999999999999999g", "4gx"}) {
    EXPECT_EQ(SizeOf(wrong, 1), -1) << wrong;
  }
}

TEST(ReportPage, IsOneFileThatLoadsNothing) {
  TestApplication application = Mixed();
  const std::string page = ReportPage(ReportJson(application.Tell())).ValueOrDie();
  for (const char* outside : {"src=", "@import", "url(", "/*DATA*/", "@STYLE@", "@SCRIPT@"}) {
    EXPECT_THAT(page, Not(HasSubstr(outside))) << outside;
  }
  EXPECT_THAT(page, HasSubstr("d3"));
}

TEST(ReportJson, TellsAllOfAnApplication) {
  TestApplication application = Mixed();
  const nlohmann::json json = ReportJson(application.Tell());
  EXPECT_EQ(json["application"]["cores"], 4);
  EXPECT_EQ(json["queries"][0]["stages"], nlohmann::json({0, 1}));
  EXPECT_EQ(json["queries"][0]["plan"][2]["reasons"], nlohmann::json({"rand"}));
  EXPECT_EQ(json["stages"][0]["attempts"][0]["histogram"]["counts"], nlohmann::json({2}));
  EXPECT_EQ(json["executors"].size(), 1u);
}

// A query of one job and stage.
std::string QueryEvents(int number) {
  const std::string stage =
      fmt::format(R"({{"Stage ID":{},"Stage Attempt ID":0,"Stage Name":"s","Number of Tasks":1,)"
                  R"("RDD Info":[{{"RDD ID":{},"Name":"r"}}],"Parent IDs":[])",
                  number, number);
  const std::string sql =
      R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecution)";
  return fmt::format(
      R"({0}Start","executionId":{1},"description":"d","sparkPlanInfo":{{"nodeName":"Range",)"
      R"("simpleString":"Range","metrics":[{{"name":"number of output rows","accumulatorId":{1},)"
      R"("metricType":"sum"}}]}},"time":5}}
{{"Event":"SparkListenerJobStart","Job ID":{1},"Submission Time":5,"Stage Infos":[{2}}}],)"
      R"("Properties":{{"spark.sql.execution.id":"{1}"}}}}
{{"Event":"SparkListenerStageCompleted","Stage Info":{2},"Submission Time":5,"Completion Time":6,)"
      R"("Accumulables":[{{"ID":{1},"Name":"n","Value":"7","Metadata":"sql"}}]}}}}
{{"Event":"SparkListenerJobEnd","Job ID":{1},"Completion Time":6,"Job Result":{{"Result":"JobSucceeded"}}}}
{0}End","executionId":{1},"time":7}}
)",
      sql, number, stage);
}

TEST(OperatorLabels, SayIdsAndWhatIsForetold) {
  TestApplication application;
  const std::vector<LoggedNode> first = {{0, "AdaptiveSparkPlan"},
                                         {1, "HashAggregate"},
                                         {2, "Exchange"},
                                         {3, "Filter"},
                                         {4, "Scan json t"}};
  const auto labels = [&] {
    const auto& executions = application.model().executions();
    return OperatorLabels(application.model(), executions.rbegin()->second);
  };
  application.Query(first);
  EXPECT_THAT(labels(), ElementsAre("", "", "", "", ""));
  application.Explain(
      {{"HashAggregate", ""}, {"ShuffleExchange", "rows"}, {"Filter", ""}, {"FileSourceScan", "x"}},
      true);
  EXPECT_THAT(labels(), ElementsAre("", " [loreId=1, will run natively]", " [loreId=2]",
                                    " [loreId=3, will run natively]", " [loreId=4]"));
  application.End();
  EXPECT_THAT(labels(),
              ElementsAre("", " [loreId=1]", " [loreId=2]", " [loreId=3]", " [loreId=4]"));
  application = Mixed();
  EXPECT_THAT(labels(), ElementsAre("", "", " [loreId=1]", "", " [loreId=2]", "", " [loreId=3]",
                                    " [loreId=4]", "", " [loreId=5]"));
  application.Setting("spark.reprise.sql.mode", "explainOnly").Query(first);
  application.Explain({{"HashAggregate", ""}}, true);
  EXPECT_THAT(labels(), ElementsAre("", " [loreId=1]", "", "", ""));
}

void AddLines(const std::string& events, LiveReport* report) {
  std::istringstream lines(events);
  for (std::string line; std::getline(lines, line);) ASSERT_TRUE(report->Add(line).ok()) << line;
}

TEST(LiveReport, KeepsTheNewest) {
  LiveReport report(3, 2);
  for (int i = 0; i < 10; ++i) AddLines(QueryEvents(i), &report);
  const auto json = nlohmann::json::parse(report.Json());
  std::vector<int> queries;
  for (const auto& query : json["queries"]) queries.push_back(query["id"]);
  EXPECT_THAT(queries, ElementsAre(7, 8, 9));
  EXPECT_EQ(json["stages"].size(), 2u);
  EXPECT_EQ(json["jobs"].size(), 2u);
  EXPECT_EQ(json["rdds"].size(), 2u);
  EXPECT_EQ(json["queries"][2]["plan"][0]["rows"], 7);
}

TEST(LiveReport, SaysWhichEventIsDamaged) {
  LiveReport report(10, 10);
  const Status status = report.Add(R"({"Event":"SparkListenerJobStart","Job ID":)");
  EXPECT_THAT(status.message(), HasSubstr("SparkListenerJobStart"));
  AddLines(QueryEvents(1), &report);
  EXPECT_EQ(nlohmann::json::parse(report.Json())["queries"].size(), 1u);
}

TEST(Report, OfAnEmptyLogIsEmpty) {
  const LogModel model;
  const Report report = BuildReport(model, "LOG");
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(report.queries.empty());
  EXPECT_EQ(report.cores, 0);
}

}  // namespace
}  // namespace reprise
