#include "rules/recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/sample_plans.h"
#include "rules/planner.h"

namespace reprise {
namespace {

using sample::Json;

Json AnswerOf(const Json& document, Json conf) {
  conf["spark.reprise.lore.dumpPath"] = "/d";
  const Json request = {{"conf", std::move(conf)}, {"pass", "replace"}, {"query", "q1"}};
  const auto answer = Plan(document.dump(), request.dump());
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? Json::parse(*answer) : Json();
}

const Json kA = sample::Column("a", 1, "integer");
const Json kB = sample::Column("b", 2, "decimal(15,2)");

Json LessThanFive() {
  return sample::Expression("LessThan", "boolean", {kA, sample::Literal(5, "integer")});
}

Json ScanOfAB() {
  return sample::ParquetScan("file:/data/t", {{"a", 1, "integer"}, {"b", 2, "decimal(15,2)"}},
                             {LessThanFive()});
}

TEST(RecordingTest, AChosenOperatorOfSparksStandsBetweenRecorders) {
  const Json plan = sample::Document(
      sample::Node("window.WindowExec", {kA, kB}, Json::object(),
                   {sample::Node("SortExec", {kA}, Json::object(), {ScanOfAB()})}));
  const Json answer = AnswerOf(plan, {{"spark.reprise.lore.idsToDump", "1[2], 3[*]"}});
  const Json& record = answer["nodes"][0]["record"];
  EXPECT_EQ(record["operator"]["kind"], "spark");
  EXPECT_EQ(record["apart"], false);
  const Json& input = record["inputs"][0];
  EXPECT_EQ(input["operator"]["kind"], "record");
  EXPECT_EQ(input["leaf"]["kind"], "row_input");
  EXPECT_EQ(input["capture"]["stream"], 0);
  EXPECT_EQ(input["capture"]["streams"]["0"].size(), 1);
  EXPECT_EQ(input["capture"]["streams"]["output"].size(), 2);
  EXPECT_EQ(input["capture"]["partitions"], (Json{2}));
  EXPECT_EQ(record["output"]["capture"]["stream"], "output");
  EXPECT_FALSE(answer["nodes"][1].contains("record"));
  EXPECT_EQ(answer["nodes"][2]["native"]["capture"]["data"], false);
}

TEST(RecordingTest, WhatSparkRunsAloneIsRecordedAsTheCoreReplaysIt) {
  const Json answer = AnswerOf(
      sample::Document(sample::Filter(LessThanFive(), ScanOfAB())),
      {{"spark.reprise.sql.mode", "explainOnly"}, {"spark.reprise.lore.idsToDump", "1[*], 2[*]"}});
  for (const Json& node : answer["nodes"]) EXPECT_FALSE(node.contains("native"));
  const Json& filter = answer["nodes"][0]["record"];
  EXPECT_EQ(filter["operator"]["kind"], "filter");
  EXPECT_EQ(filter["operator"]["name"], "Filter");
  EXPECT_EQ(filter["operator"]["arguments"]["condition"]["function"], "less");
  EXPECT_EQ(filter["inputs"][0]["leaf"]["kind"], "row_input");
  const Json& scan = answer["nodes"][1]["record"];
  EXPECT_EQ(scan["operator"]["kind"], "spark");
}

}  // namespace
}  // namespace reprise
