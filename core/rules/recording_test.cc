#include "rules/recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/sample_answers.h"

namespace reprise {
namespace {

using sample::Json;
using sample::kA;
using sample::kB;
using sample::LessThanFive;
using sample::ScanOfAB;

Json RecordedAnswer(const Json& document, Json conf) {
  conf["spark.reprise.lore.dumpPath"] = "/d";
  return sample::PlanOf(document, sample::Request("replace", std::move(conf)));
}

TEST(RecordingTest, AChosenOperatorOfSparksStandsBetweenRecorders) {
  const Json plan = sample::Document(
      sample::Node("window.WindowExec", {kA, kB}, Json::object(),
                   {sample::Node("SortExec", {kA}, Json::object(), {ScanOfAB()})}));
  const Json answer = RecordedAnswer(plan, {{"spark.reprise.lore.idsToDump", "1[2], 3[*]"}});
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
  const Json answer = RecordedAnswer(
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
