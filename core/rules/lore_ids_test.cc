#include "rules/lore_ids.h"

#include <gtest/gtest.h>

#include "plan/sample_plans.h"
#include "rules/planner.h"

namespace reprise {
namespace {

using sample::Json;

const Json kKey = sample::Column("key", 5, "long");

Json Unary(const std::string& name, Json child, Json arguments = Json::object()) {
  Json output = child["output"];
  return sample::Node(name, output, std::move(arguments), {std::move(child)});
}

Json Scan(const std::string& table) {
  return sample::Node("ScanExec", {kKey}, {{"table", table}}, {});
}

Json Binary(const std::string& name, Json left, Json right) {
  return sample::Node(name, {kKey, kKey},
                      {{"leftKeys", {kKey}},
                       {"rightKeys", {kKey}},
                       {"joinType", {{"enum", "Inner"}}},
                       {"condition", nullptr}},
                      {std::move(left), std::move(right)});
}

Json FirstPlan() {
  const auto side = [](const std::string& table) {
    return Unary("SortExec",
                 Unary("exchange.ShuffleExchangeExec", Unary("FilterExec", Scan(table))));
  };
  return Unary("ProjectExec", Binary("joins.SortMergeJoinExec", side("orders"), side("lineitem")));
}

Json Tag(const Json& root, const Json& known = nullptr) {
  Json request = {{"pass", "tag"}, {"conf", Json::object()}};
  if (!known.is_null()) request["known"] = known;
  const auto answer = Plan(sample::Document(root).dump(), request.dump());
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? Json::parse(*answer) : Json::object();
}

std::map<std::string, int64_t> Ids(const Json& answer) {
  std::map<std::string, int64_t> ids;
  for (const Json& node : answer["nodes"]) {
    if (node.contains("loreId")) ids[node["occurrence"]] = node["loreId"];
  }
  return ids;
}

std::string Fingerprint(const Json& root, const std::string& occurrence) {
  const Json answer = Tag(root);
  for (const Json& node : answer["nodes"]) {
    if (node["occurrence"] == occurrence) return node["fingerprint"];
  }
  return "none";
}

using IdMap = std::map<std::string, int64_t>;

TEST(LoreIdsTest, PreOrderFromOne) {
  EXPECT_EQ(Ids(Tag(FirstPlan())), (IdMap{{"Project#0", 1},
                                          {"SortMergeJoin#0", 2},
                                          {"Sort#0", 3},
                                          {"ShuffleExchange#0", 4},
                                          {"Filter#0", 5},
                                          {"Scan#0", 6},
                                          {"Sort#1", 7},
                                          {"ShuffleExchange#1", 8},
                                          {"Filter#1", 9},
                                          {"Scan#1", 10}}));
}

TEST(LoreIdsTest, PlanningAgainWithAnotherJoinKeepsIds) {
  const Json known = Tag(FirstPlan())["ids"];
  // The right side has ended and is small: it is broadcast; sorts and one exchange are gone.
  const Json stage = sample::Node(
      "adaptive.ShuffleQueryStageExec", {kKey},
      {{"plan",
        {{"plan", Unary("exchange.ShuffleExchangeExec", Unary("FilterExec", Scan("lineitem")))}}}},
      {});
  const Json again = Unary(
      "ProjectExec", Binary("joins.BroadcastHashJoinExec", Unary("FilterExec", Scan("orders")),
                            Unary("exchange.BroadcastExchangeExec", stage)));
  IdMap ids = Ids(Tag(again, known));
  const auto added = ids.begin();
  EXPECT_GT(added->second, 10);
  // Of what is added the id is the number: a count would depend on what was added before.
  EXPECT_EQ(added->first, "BroadcastExchange#" + std::to_string(added->second));
  ids.erase(added);
  EXPECT_EQ(ids, (IdMap{{"Project#0", 1},
                        {"SortMergeJoin#0", 2},
                        {"Filter#0", 5},
                        {"Scan#0", 6},
                        {"ShuffleExchange#1", 8},
                        {"Filter#1", 9},
                        {"Scan#1", 10}}));
}

TEST(LoreIdsTest, OperatorsThatCarryAnIdKeepIt) {
  const Json known = Tag(Unary("ProjectExec", Unary("FilterExec", Scan("orders"))))["ids"];
  Json filter = Unary("FilterExec", Scan("unrecognisable"));
  filter["loreId"] = 2;
  const Json stage =
      sample::Node("adaptive.ShuffleQueryStageExec", {kKey}, {{"plan", {{"plan", filter}}}}, {});
  const IdMap ids = Ids(Tag(Unary("ProjectExec", stage), known));
  EXPECT_EQ(ids.at("Project#0"), 1);
  EXPECT_EQ(ids.at("Filter#0"), 2);
}

TEST(LoreIdsTest, EqualOperatorsAreToldApartByOrder) {
  const Json plan = Binary("joins.SortMergeJoinExec", Scan("orders"), Scan("orders"));
  const Json first = Tag(plan);
  EXPECT_EQ(Ids(first), (IdMap{{"SortMergeJoin#0", 1}, {"Scan#0", 2}, {"Scan#1", 3}}));
  EXPECT_EQ(Ids(Tag(plan, first["ids"])), Ids(first));
}

Json From(Json node, const Json& ids) {
  node["from"] = ids;
  return node;
}

TEST(LoreIdsTest, TheLogicalNodeTellsEqualOperatorsApart) {
  const Json first = Tag(sample::Node(
      "UnionExec", {kKey}, Json::object(),
      {Unary("FilterExec", Scan("orders")), Unary("FilterExec", Scan("orders"))}))["ids"];
  // Only the second branch is left.
  EXPECT_EQ(Ids(Tag(From(Unary("FilterExec", From(Scan("orders"), {4, 5})), {4, 5}), first)),
            (IdMap{{"Filter#1", 4}, {"Scan#1", 5}}));
  EXPECT_EQ(Ids(Tag(Unary("FilterExec", Scan("orders")), first)),
            (IdMap{{"Filter#0", 2}, {"Scan#0", 3}}));
}

TEST(LoreIdsTest, OfTheSameLogicalNodeTheSameKindKeepsItsId) {
  const auto all = [](std::vector<Json> branches) {
    return sample::Node("UnionExec", {kKey}, Json::object(), std::move(branches));
  };
  const Json first = Tag(all({Scan("a"), Scan("b"), Scan("c")}))["ids"];
  EXPECT_EQ(Ids(Tag(From(all({Scan("a"), Scan("c")}), {1}), first)),
            (IdMap{{"Union#0", 1}, {"Scan#0", 2}, {"Scan#2", 4}}));
  // Another kind of operator is a new one, which has the same id whatever else is there.
  const IdMap other = Ids(Tag(From(Unary("ProjectExec", Scan("a")), {1}), first));
  EXPECT_EQ(other.at("Scan#0"), 2);
  EXPECT_EQ(other.size(), 2u);
  EXPECT_GT(other.begin()->second, 4);
}

TEST(LoreIdsTest, ExchangesAreKnownByWhatIsBelow) {
  const auto side = [](const char* table) {
    return Unary("SortExec", Unary("exchange.ShuffleExchangeExec", Scan(table)));
  };
  const Json first = Tag(Binary("joins.SortMergeJoinExec", side("orders"), side("orders")))["ids"];
  const Json again = Unary("exchange.ShuffleExchangeExec", From(Scan("orders"), {7}));
  EXPECT_EQ(Ids(Tag(again, first)), (IdMap{{"ShuffleExchange#1", 6}, {"Scan#1", 7}}));
}

TEST(LoreIdsTest, SubqueriesAreNumberedAfterTheMainPlan) {
  const Json subquery = sample::Node("SubqueryExec", {kKey}, Json::object(), {Scan("inner")});
  Json condition = sample::Expression("EqualTo", "boolean", {kKey, kKey});
  condition["args"]["subquery"] = {{"plan", subquery}};
  const Json plan = sample::Filter(condition, Unary("ProjectExec", Scan("outer")));
  EXPECT_EQ(Ids(Tag(plan)),
            (IdMap{{"Filter#0", 1}, {"Project#0", 2}, {"Scan#0", 3}, {"Scan#1", 4}}));
}

TEST(LoreIdsTest, FingerprintsSeeWhatIsBelowAndNothingElse) {
  const Json filter = Unary("FilterExec", Scan("orders"));
  const std::string alone = Fingerprint(filter, "Filter#0");
  EXPECT_EQ(alone.size(), 16u);
  EXPECT_EQ(Fingerprint(Unary("ProjectExec", filter), "Filter#0"), alone);
  EXPECT_NE(Fingerprint(Unary("FilterExec", Scan("lineitem")), "Filter#0"), alone);
  EXPECT_NE(Fingerprint(Unary("FilterExec", Scan("orders"), {{"limit", 3}}), "Filter#0"), alone);
}

TEST(LoreIdsTest, EveryBatchOfAStreamHashesAlike) {
  const auto save = [](const char* run, int watermark, const char* mode) {
    return Unary(
        "streaming.StateStoreSaveExec", Scan("orders"),
        {{"stateInfo", run}, {"eventTimeWatermarkForEviction", watermark}, {"mode", mode}});
  };
  const std::string first = Fingerprint(save("run-1", 3, "Complete"), "StateStoreSave#0");
  EXPECT_EQ(Fingerprint(save("run-2", 4, "Complete"), "StateStoreSave#0"), first);
  EXPECT_NE(Fingerprint(save("run-1", 3, "Append"), "StateStoreSave#0"), first);
}

TEST(LoreIdsTest, CommutedOperandsHashAlike) {
  const auto plan = [](Json left, Json right, const char* name) {
    return sample::Filter(sample::Expression(name, "boolean", {std::move(left), std::move(right)}),
                          Scan("orders"));
  };
  const Json one = sample::Literal(1, "long");
  EXPECT_EQ(Fingerprint(plan(kKey, one, "EqualTo"), "Filter#0"),
            Fingerprint(plan(one, kKey, "EqualTo"), "Filter#0"));
  EXPECT_EQ(Fingerprint(plan(kKey, one, "LessThan"), "Filter#0"),
            Fingerprint(plan(one, kKey, "GreaterThan"), "Filter#0"));
  EXPECT_NE(Fingerprint(plan(kKey, one, "LessThan"), "Filter#0"),
            Fingerprint(plan(one, kKey, "LessThan"), "Filter#0"));
}

TEST(LoreIdsTest, ABrokenTableIsAnError) {
  EXPECT_EQ(KnownOperators::FromText(R"({"operators":[1]})").status().message(),
            "the ids of the query's first plan (\"known\") are malformed: entry 0 is not six "
            "strings and two integers");
  EXPECT_EQ(KnownOperators::FromText(R"({"operators":[["a","b","xyz","0","","",0,1]]})")
                .status()
                .message(),
            "the ids of the query's first plan (\"known\") are malformed: a hash of entry 0 is not "
            "hexadecimal");
  EXPECT_TRUE(KnownOperators::FromText(R"({"operators":[["a","b","ff","0","","",0,1]]})").ok());
}

}  // namespace
}  // namespace reprise
