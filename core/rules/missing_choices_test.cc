#include "rules/missing_choices.h"

#include <gtest/gtest.h>

#include "rules/sample_answers.h"

namespace reprise {
namespace {

using sample::Json;
using sample::kA;
using sample::kB;
using sample::LessThanFive;
using sample::PlanOf;
using sample::Request;

TEST(LoreChoicesTest, ChoicesThatNoOperatorHasAreNamedWithNearOnes) {
  const Json plan = sample::Document(
      sample::Filter(LessThanFive(), sample::Filter(LessThanFive(), sample::Rows({kA, kB}))));
  const Json first = PlanOf(plan, Request("replace"));
  const std::string fingerprint = first["nodes"][0]["fingerprint"];
  EXPECT_TRUE(first["missing"].is_null());
  std::string slip = fingerprint;
  slip[3] = slip[3] == '0' ? '1' : '0';
  const auto missing = [&](const std::string& ids) {
    return PlanOf(plan, Request("replace", {{"spark.reprise.lore.idsToDump", ids},
                                            {"spark.reprise.lore.dumpPath", "/d"}}))["missing"];
  };
  const Json fulfilled = missing("1[*], Filter#1[*]");
  ASSERT_EQ(fulfilled.size(), 2u);
  EXPECT_EQ(fulfilled[0]["unless"], (Json{1}));
  EXPECT_EQ(fulfilled[1]["unless"], (Json{2}));
  EXPECT_EQ(missing("9[*]"),
            (Json{{{"choice", "9"},
                   {"warning",
                    "spark.reprise.lore.idsToDump: no operator of the query has the "
                    "LORE id 9; near: 3 (RDDScan#0), 2 (Filter#1), 1 (Filter#0)"}}}));
  EXPECT_EQ(missing("filter#1[*], Filter#0[1]")[0]["warning"],
            "spark.reprise.lore.idsToDump: no operator of the query is filter#1; near: 2 "
            "(Filter#1), 1 (Filter#0), 3 (RDDScan#0)");
  EXPECT_EQ(missing(slip + "[*]")[0]["warning"],
            "spark.reprise.lore.idsToDump: no operator of the query has the fingerprint " + slip +
                "; near: 1 (Filter#0, " + fingerprint + ")");
  EXPECT_EQ(missing("ffffffffffffffff[*]")[0]["warning"],
            "spark.reprise.lore.idsToDump: no operator of the query has the fingerprint "
            "ffffffffffffffff");
}

TEST(LoreChoicesTest, ChoicesOfOperatorsThatDoNotRunAreMissing) {
  const Json inner = sample::Filter(LessThanFive(), sample::Rows({kA, kB}));
  const Json whole = sample::Document(sample::Filter(LessThanFive(), inner));
  const Json ids = PlanOf(whole, Request("tag"))["ids"];
  // Adaptive execution runs only the part below the upper filter.
  Json part = inner;
  part["loreId"] = 2;
  Json request = Request("replace", {{"spark.reprise.lore.idsToDump", "1[*], 2[*]"},
                                     {"spark.reprise.lore.dumpPath", "/d"}});
  request["known"] = ids;
  const Json missing = PlanOf(sample::Document(part), request)["missing"];
  ASSERT_EQ(missing.size(), 2u) << missing;
  EXPECT_EQ(missing[0]["choice"], "1");
  EXPECT_FALSE(missing[0].contains("unless"));
  EXPECT_EQ(missing[1]["unless"], (Json{2}));
  EXPECT_EQ(
      missing[0]["warning"],
      "spark.reprise.lore.idsToDump: operator 1 (Filter#0) was not dumped, because it did "
      "not run: Spark read the output of an equal exchange or subquery in its place, or found "
      "before that its input is empty");
}

TEST(LoreChoicesTest, TheEqualThatRanInItsPlaceIsNamed) {
  const Json inner = sample::Filter(LessThanFive(), sample::Rows({kA, kB}));
  const Json whole =
      sample::Document(sample::Node("UnionExec", {kA, kB}, Json::object(), {inner, inner}));
  Json part = inner;
  part["loreId"] = 2;
  Json request = Request(
      "replace", {{"spark.reprise.lore.idsToDump", "4[*]"}, {"spark.reprise.lore.dumpPath", "/d"}});
  request["known"] = PlanOf(whole, Request("tag"))["ids"];
  const Json missing = PlanOf(sample::Document(part), request)["missing"];
  ASSERT_EQ(missing.size(), 1u) << missing;
  EXPECT_EQ(missing[0]["warning"],
            "spark.reprise.lore.idsToDump: operator 4 (Filter#1) was not dumped, because it did "
            "not run: Spark ran its equal 2 (Filter#0) in its place, or found before that its "
            "input is empty");
  EXPECT_EQ(missing[0]["didNotRun"], true);
}

TEST(LoreChoicesTest, OperatorsAreChosenByNameAndByFingerprint) {
  const Json plan =
      sample::Document(sample::Node("UnionExec", {kA, kB}, Json::object(),
                                    {sample::Filter(LessThanFive(), sample::Rows({kA, kB})),
                                     sample::Filter(LessThanFive(), sample::Rows({kA, kB}))}));
  const std::string fingerprint = PlanOf(plan, Request("replace"))["nodes"][1]["fingerprint"];
  const auto captured = [&](const std::string& ids) {
    const Json answer = PlanOf(plan, Request("replace", {{"spark.reprise.lore.idsToDump", ids},
                                                         {"spark.reprise.lore.dumpPath", "/d"}}));
    std::vector<int64_t> found;
    for (const Json& node : answer["nodes"]) {
      if (node.contains("native") && node["native"].contains("capture")) {
        found.push_back(node["native"]["capture"]["loreId"]);
      }
    }
    return found;
  };
  EXPECT_EQ(captured("Filter#1[*]"), (std::vector<int64_t>{4}));
  EXPECT_EQ(captured(fingerprint + "[*]"), (std::vector<int64_t>{2, 4}));
}

TEST(LoreChoicesTest, EachQueryHasADirectoryOfItsOwn) {
  const Json plan = sample::Document(sample::Filter(LessThanFive(), sample::Rows({kA, kB})));
  const auto path = [&](const char* base, const Json& execution,
                        const char* key = "spark.reprise.lore.dumpPath") {
    Json request = Request("replace", {{"spark.reprise.lore.idsToDump", "1[*]"}, {key, base}});
    request["query"] = "1a2b3c4d-5e6f";
    if (!execution.is_null()) request["execution"] = execution;
    return PlanOf(plan, request)["nodes"][0]["native"]["capture"]["path"];
  };
  EXPECT_EQ(path("file:/d", 17), "file:/d/query-17-1a2b3c4d");
  EXPECT_EQ(path("/d/", nullptr), "/d/query-1a2b3c4d");
  EXPECT_EQ(path("file:/d", 17, "spark.rapids.sql.lore.dumpPath"), "file:/d");
}

}  // namespace
}  // namespace reprise
