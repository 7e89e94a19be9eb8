#include "rules/checksummed_operators.h"

#include <gtest/gtest.h>

#include "rules/sample_answers.h"

namespace reprise {
namespace {

using sample::Json;
using sample::kA;
using sample::kB;

Json ChecksummedAnswer(const Json& document, Json conf = Json::object()) {
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

TEST(ChecksummedOperatorsTest, NativeOperatorsAreChecksummedUpUnderTheirIds) {
  const Json answer = ChecksummedAnswer(WindowOverFilter());
  EXPECT_EQ(answer["nodes"][2]["native"]["checksummedAs"], 3);
  EXPECT_EQ(answer["nodes"][3]["native"]["checksummedAs"], 4);
}

TEST(ChecksummedOperatorsTest, AProjectionThatOnlyPassesColumnsOnIsNot) {
  const Json column = sample::Document(sample::Project({kB}, {kB}, sample::ScanOfAB()));
  EXPECT_FALSE(ChecksummedAnswer(column)["nodes"][0]["native"].contains("checksummedAs"));
  const Json computed =
      sample::Document(sample::Project({sample::Alias(sample::LessThanFive(), "c", 3)},
                                       {sample::Column("c", 3, "boolean")}, sample::ScanOfAB()));
  EXPECT_EQ(ChecksummedAnswer(computed)["nodes"][0]["native"]["checksummedAs"], 1);
}

TEST(ChecksummedOperatorsTest, OfSparksOperatorsThoseWhoseRowsLeave) {
  const Json answer = ChecksummedAnswer(WindowOverFilter());
  EXPECT_EQ(answer["nodes"][0]["ledger"]["loreId"], 1);
  EXPECT_EQ(answer["nodes"][0]["ledger"]["columns"].size(), 2);
  EXPECT_FALSE(answer["nodes"][1].contains("ledger"));
}

TEST(ChecksummedOperatorsTest, OrAllOfThem) {
  const Json answer =
      ChecksummedAnswer(WindowOverFilter(), {{"spark.reprise.ledger.operators", "all"}});
  EXPECT_EQ(answer["nodes"][1]["ledger"]["loreId"], 2);
}

TEST(ChecksummedOperatorsTest, OrOfNone) {
  const Json answer =
      ChecksummedAnswer(WindowOverFilter(), {{"spark.reprise.ledger.enabled", "false"}});
  EXPECT_FALSE(answer["nodes"][0].contains("ledger"));
  EXPECT_FALSE(answer["nodes"][2]["native"].contains("checksummedAs"));
}

TEST(ChecksummedOperatorsTest, InExplainOnlyModeAllAreSparks) {
  const Json answer = ChecksummedAnswer(
      WindowOverFilter(),
      {{"spark.reprise.sql.mode", "explainOnly"}, {"spark.reprise.ledger.operators", "all"}});
  for (const Json& node : answer["nodes"]) {
    EXPECT_TRUE(node.contains("ledger"));
    EXPECT_FALSE(node.contains("native"));
  }
}

TEST(ChecksummedOperatorsTest, NothingWithoutALedgerOrWithoutIds) {
  const Json without = sample::PlanOf(WindowOverFilter(), sample::Request("replace"));
  const Json untagged =
      ChecksummedAnswer(WindowOverFilter(), {{"spark.reprise.lore.tag.enabled", "false"}});
  for (const Json& answer : {without, untagged}) {
    EXPECT_EQ(answer.dump().find("checksummedAs"), std::string::npos);
    EXPECT_FALSE(answer["nodes"][0].contains("ledger"));
  }
}

}  // namespace
}  // namespace reprise
