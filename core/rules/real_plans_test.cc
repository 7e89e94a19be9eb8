// Plans that Spark has made: testdata/README.md says which.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "plan/plan.h"
#include "plan/spec.h"
#include "rules/lore_ids.h"
#include "rules/planner.h"

namespace reprise {
namespace {

using Json = nlohmann::json;

/// core/rules/testdata of the tree in which the test program has been built.
std::filesystem::path Folder() {
  std::filesystem::path above = std::filesystem::read_symlink("/proc/self/exe");
  while (above != above.root_path()) {
    above = above.parent_path();
    if (std::filesystem::exists(above / "core/rules/testdata")) break;
  }
  return above / "core/rules/testdata";
}
const std::filesystem::path kFolder = Folder();

std::string Stored(const std::string& name) {
  std::ifstream stream(kFolder / name, std::ios::binary);
  EXPECT_TRUE(stream.good()) << kFolder / name;
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

Json PlanOf(const std::string& document, const Json& request) {
  const auto answer = Plan(document, request.dump());
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? Json::parse(*answer) : Json::object();
}

void CheckGolden(const std::string& name, const std::string& text) {
  const char* update = std::getenv("REPRISE_UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1") {
    std::ofstream(kFolder / name, std::ios::binary) << text;
  }
  EXPECT_EQ(Stored(name), text) << name
                                << ": if the change is meant, REPRISE_UPDATE_GOLDEN=1 rewrites it";
}

/// Short class names of the document's nodes by their numbers.
std::map<int64_t, std::string> Classes(const std::string& document) {
  const auto plan = PlanDocument::Decode(document);
  EXPECT_TRUE(plan.ok()) << plan.status();
  std::map<int64_t, std::string> classes;
  for (const PlanNode* node : (*plan)->nodes()) {
    classes[node->id] = std::string(ShortClassName(node->class_name));
  }
  return classes;
}

class RealPlanTest : public testing::TestWithParam<std::string> {};

TEST_P(RealPlanTest, Explain) {
  const Json answer = PlanOf(Stored(GetParam() + ".json"),
                             {{"pass", "tag"}, {"conf", {{"spark.reprise.sql.explain", "ALL"}}}});
  CheckGolden(GetParam() + ".explain.txt", answer["explain"].get<std::string>());
}

TEST_P(RealPlanTest, EveryVerdictIsWhole) {
  const Json answer = PlanOf(Stored(GetParam() + ".json"), {{"pass", "replace"}});
  for (const Json& node : answer["nodes"]) {
    if (node["mark"] != "*") {
      EXPECT_FALSE(node["reasons"].empty()) << node.dump();
    }
    if (!node.contains("native") || node["native"].contains("remove")) continue;
    const auto spec = OperatorSpecFromJson(node["native"]["operator"]);
    ASSERT_TRUE(spec.ok()) << spec.status() << node.dump();
    EXPECT_EQ(spec->lore_id, node["loreId"]);
    if (node["native"]["input"] == "union") {
      EXPECT_EQ(node["native"]["union"]["kind"], "batch_input");
    } else if (node["native"]["input"] == "python") {
      EXPECT_EQ(node["native"]["python"]["results"]["kind"], "arrow_input");
      EXPECT_FALSE(node["native"]["python"]["before"].empty());
    } else {
      EXPECT_EQ(node["native"]["inputs"].size(), spec->inputs.size());
    }
  }
}

/// What the verdicts on a plan say of the rows that go to Python, from the top down.
std::vector<Json> SentToPython(const std::string& plan) {
  std::vector<Json> sent;
  const Json answer = PlanOf(Stored(plan), {{"pass", "replace"}});
  for (const Json& node : answer["nodes"]) {
    if (node.contains("native") && node["native"].contains("python")) {
      sent.push_back(node["native"]["python"]);
    }
  }
  return sent;
}

TEST(PythonPlanTest, ArgumentsAreColumnsOrStandBehindThem) {
  const auto sent = SentToPython("python.json");
  ASSERT_EQ(sent.size(), 2U);
  const Json& batches = sent[0]["before"].back();
  EXPECT_EQ(batches["kind"], "python_batches");
  EXPECT_EQ(sent[0]["sent"], Json({3, 1}));
  EXPECT_EQ(batches["arguments"]["sent"], sent[0]["sent"]);
  EXPECT_EQ(batches["arguments"]["rows"], 10000);
  EXPECT_EQ(sent[0]["results"]["arguments"]["kept"], 3);
  EXPECT_EQ(sent[0]["groupEnd"], -1);
}

TEST(PythonPlanTest, GroupsAreSentWithoutTheKeysThatAreColumns) {
  const auto sent = SentToPython("python_rows.json");
  ASSERT_EQ(sent.size(), 2U);
  // The key, which the rows have too, stands before them.
  EXPECT_EQ(sent[0]["before"].back()["kind"], "python_groups");
  EXPECT_EQ(sent[0]["sent"], Json({1, 2}));
  EXPECT_EQ(sent[0]["groupEnd"], 3);
  EXPECT_EQ(sent[1]["before"].back()["kind"], "python_batches");
  EXPECT_EQ(sent[1]["sent"], Json({0, 1, 2}));
  EXPECT_EQ(sent[1]["struct"], true);
}

TEST(PythonPlanTest, BeforeSpark4TheyStaySparks) {
  for (const char* name :
       {"python.json", "python_rows.json", "python_aggregate.json", "python_window.json"}) {
    const std::string of_spark_3 = std::regex_replace(
        Stored(name), std::regex(R"re("spark":"[0-9.]+")re"), R"("spark":"3.5.9")");
    const Json answer = PlanOf(of_spark_3, {{"pass", "replace"}});
    int found = 0;
    for (const Json& node : answer["nodes"]) {
      for (const Json& reason : node.value("reasons", Json::array())) {
        if (reason.get<std::string>().starts_with("Spark before 4.0 writes to Python")) ++found;
      }
      EXPECT_FALSE(node.contains("native") && node["native"].contains("python")) << node.dump();
    }
    EXPECT_GE(found, 1) << name;
  }
}

TEST(PythonPlanTest, AggregatesKeepTheKeysOfEachGroup) {
  const auto sent = SentToPython("python_aggregate.json");
  ASSERT_EQ(sent.size(), 1U);
  const Json& groups = sent[0]["before"].back();
  EXPECT_EQ(groups["arguments"]["keys"].size(), 2U);
  EXPECT_EQ(sent[0]["sent"], Json({2, 3}));
  EXPECT_EQ(sent[0]["groupEnd"], 4);
  EXPECT_EQ(sent[0]["results"]["arguments"]["kept"], 2);
  EXPECT_EQ(sent[0]["results"]["output"].size(), 4U);
  EXPECT_EQ(sent[0]["after"][0]["output"].size(), 4U);
  EXPECT_EQ(sent[0]["perGroup"], true);
  EXPECT_EQ(sent[0]["places"], Json({{0}, {1}}));
}

TEST(PythonPlanTest, WindowsSendTheirFramesBehindTheArguments) {
  const auto sent = SentToPython("python_window.json");
  ASSERT_EQ(sent.size(), 1U);
  const Json& before = sent[0]["before"];
  ASSERT_EQ(before.size(), 3U);
  EXPECT_EQ(before[0]["kind"], "window");
  EXPECT_EQ(before[1]["kind"], "project");
  EXPECT_EQ(before[2]["kind"], "python_groups");
  // Two of the four functions have the same frame, and one has all rows of a partition.
  EXPECT_EQ(before[0]["arguments"]["functions"].size(), 4U);
  EXPECT_EQ(before[2]["arguments"]["keys"].size(), 1U);
  EXPECT_EQ(sent[0]["places"], Json({{3, 4, 0}, {3, 4, 0, 1}, {2}, {5, 6, 2}}));
  EXPECT_EQ(sent[0]["perGroup"], false);
  EXPECT_EQ(sent[0]["results"]["arguments"]["kept"], 3);
}

INSTANTIATE_TEST_SUITE_P(Plans, RealPlanTest,
                         testing::Values("tpch_q01", "tpch_q04", "tpch_q06", "functions",
                                         "distinct", "subquery", "metadata", "inputfile",
                                         "collated", "v2", "legacy", "union", "joins", "text",
                                         "orc", "lines", "range", "python", "python_rows",
                                         "python_aggregate", "python_window", "guest_functions",
                                         "write"),
                         [](const auto& info) { return info.param; });

struct Adapted {
  Json answer;
  std::map<int64_t, std::string> classes;
  int64_t first_plan_count = 0;
};

/// The last plan of a query, numbered with the ids of the first plan of another run.
Adapted Adapt(const std::string& query) {
  const Json first = PlanOf(Stored(query + "_before_adapting.json"), {{"pass", "tag"}});
  const std::string last = Stored(query + "_adapted.json");
  Adapted adapted;
  adapted.answer = PlanOf(last, {{"pass", "tag"}, {"known", first["ids"]}});
  adapted.classes = Classes(last);
  adapted.first_plan_count = static_cast<int64_t>(
      KnownOperators::FromText(first["ids"].get<std::string>())->operators.size());
  EXPECT_EQ(adapted.answer["ids"], first["ids"]);
  return adapted;
}

/// Class names of what adaptive execution has added, as a set; ids are unique.
std::set<std::string> Added(const Adapted& adapted) {
  std::set<std::string> added;
  std::set<int64_t> ids;
  for (const Json& node : adapted.answer["nodes"]) {
    if (!node.contains("loreId")) continue;
    EXPECT_TRUE(ids.insert(node["loreId"].get<int64_t>()).second) << node.dump();
    if (node["loreId"] > adapted.first_plan_count) {
      added.insert(adapted.classes.at(node["id"].get<int64_t>()));
    }
  }
  return added;
}

using Names = std::set<std::string>;

TEST(AdaptedPlanTest, OtherJoinsKeepTheIds) {
  const Adapted adapted = Adapt("q04");
  EXPECT_EQ(Added(adapted), Names{"BroadcastExchangeExec"});
  for (const Json& node : adapted.answer["nodes"]) {
    if (adapted.classes.at(node["id"].get<int64_t>()) == "BroadcastHashJoinExec") {
      EXPECT_EQ(node["occurrence"], "SortMergeJoin#0");
      EXPECT_EQ(node["loreId"], 7);
    }
  }
}

TEST(AdaptedPlanTest, AReusedExchangeDoesNotDisturbTheIdsAbove) {
  EXPECT_EQ(Added(Adapt("q07")), Names{"BroadcastExchangeExec"});
}

TEST(AdaptedPlanTest, WhatIsAboveAnEmptyInputKeepsItsIds) {
  const Adapted adapted = Adapt("q17");
  EXPECT_EQ(Added(adapted), Names{"EmptyRelationExec"});
}

TEST(AdaptedPlanTest, AddedIdsDoNotDependOnTheRun) {
  EXPECT_EQ(Adapt("q07").answer, Adapt("q07").answer);
}

TEST(RealPlansTest, ExprIdsDoNotMatter) {
  std::string document = Stored("tpch_q04.json");
  const Json before = PlanOf(document, {{"pass", "tag"}});
  // Every exprId moves, the documents' own numbers and everything else stay.
  const std::regex expr_id(R"re("(exprId|resultId)":(\d+))re");
  document = std::regex_replace(document, expr_id, R"("$1":7$2)");
  EXPECT_EQ(PlanOf(document, {{"pass", "tag"}})["ids"], before["ids"]);
}

TEST(RealPlansTest, EveryDamagedByteIsAnErrorOrAnAnswer) {
  const std::string document = Stored("v2.json");
  for (size_t at = 0; at < document.size(); at += 3) {
    std::string damaged = document;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x11);
    const auto answer = Plan(damaged, R"({"pass":"replace"})");
    if (!answer.ok()) {
      EXPECT_FALSE(answer.status().message().empty());
    }
  }
}

}  // namespace
}  // namespace reprise
