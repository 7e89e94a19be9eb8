#include "rules/summing.h"

#include <gtest/gtest.h>

#include "rules/sample_answers.h"

namespace reprise {
namespace {

using sample::Json;
using sample::kA;
using sample::kB;

Json SummedAnswer(const Json& document, Json conf = Json::object()) {
  Json request = sample::Request("replace", std::move(conf));
  request["ledger"] = true;
  return sample::PlanOf(document, request);
}

// A window of Spark's over a filter and a scan that run natively.
Json WindowOverFilter() {
  return sample::Document(
      sample::Node("window.WindowExec", {kA, kB}, Json::object(),
                   {sample::Node("SortExec", {kA}, Json::object(),
                                 {sample::Filter(sample::LessThanFive(), sample::ScanOfAB())})}));
}

TEST(SummingTest, NativeOperatorsAreSummedUpUnderTheirIds) {
  const Json answer = SummedAnswer(WindowOverFilter());
  EXPECT_EQ(answer["nodes"][2]["native"]["summedAs"], 3);
  EXPECT_EQ(answer["nodes"][3]["native"]["summedAs"], 4);
}

TEST(SummingTest, AProjectionThatOnlyPassesColumnsOnIsNot) {
  const Json column = sample::Document(sample::Project({kB}, {kB}, sample::ScanOfAB()));
  EXPECT_FALSE(SummedAnswer(column)["nodes"][0]["native"].contains("summedAs"));
  const Json computed =
      sample::Document(sample::Project({sample::Alias(sample::LessThanFive(), "c", 3)},
                                       {sample::Column("c", 3, "boolean")}, sample::ScanOfAB()));
  EXPECT_EQ(SummedAnswer(computed)["nodes"][0]["native"]["summedAs"], 1);
}

TEST(SummingTest, OfSparksOperatorsThoseWhoseRowsLeave) {
  const Json answer = SummedAnswer(WindowOverFilter());
  EXPECT_EQ(answer["nodes"][0]["ledger"]["loreId"], 1);
  EXPECT_EQ(answer["nodes"][0]["ledger"]["columns"].size(), 2);
  EXPECT_FALSE(answer["nodes"][1].contains("ledger"));
}

TEST(SummingTest, OrAllOfThem) {
  const Json answer = SummedAnswer(WindowOverFilter(), {{"spark.reprise.ledger.operators", "all"}});
  EXPECT_EQ(answer["nodes"][1]["ledger"]["loreId"], 2);
}

TEST(SummingTest, OrOfNone) {
  const Json answer = SummedAnswer(WindowOverFilter(), {{"spark.reprise.ledger.enabled", "false"}});
  EXPECT_FALSE(answer["nodes"][0].contains("ledger"));
  EXPECT_FALSE(answer["nodes"][2]["native"].contains("summedAs"));
}

TEST(SummingTest, InExplainOnlyModeAllAreSparks) {
  const Json answer = SummedAnswer(WindowOverFilter(), {{"spark.reprise.sql.mode", "explainOnly"},
                                                        {"spark.reprise.ledger.operators", "all"}});
  for (const Json& node : answer["nodes"]) {
    EXPECT_TRUE(node.contains("ledger"));
    EXPECT_FALSE(node.contains("native"));
  }
}

TEST(SummingTest, NothingWithoutALedgerOrWithoutIds) {
  const Json without = sample::PlanOf(WindowOverFilter(), sample::Request("replace"));
  const Json untagged =
      SummedAnswer(WindowOverFilter(), {{"spark.reprise.lore.tag.enabled", "false"}});
  for (const Json& answer : {without, untagged}) {
    EXPECT_EQ(answer.dump().find("summedAs"), std::string::npos);
    EXPECT_FALSE(answer["nodes"][0].contains("ledger"));
  }
}

}  // namespace
}  // namespace reprise
