// Plans of joins for tests, and what the core answers to them.
#pragma once

#include <gtest/gtest.h>

#include "plan/sample_plans.h"
#include "rules/planner.h"

namespace reprise::sample_joins {

using sample::Json;

inline const Json kLeftKey = sample::Column("a", 1, "long");
inline const Json kLeftValue = sample::Column("b", 2, "integer");
inline const Json kRightKey = sample::Column("c", 3, "long");
inline const Json kRightValue = sample::Column("d", 4, "integer");

inline Json Left() {
  return sample::ParquetScan("file:/data/l", {{"a", 1, "long"}, {"b", 2, "integer"}});
}
inline Json Right() {
  return sample::ParquetScan("file:/data/r", {{"c", 3, "long"}, {"d", 4, "integer"}});
}

inline Json Join(const std::string& name, Json type, Json left, Json right,
                 Json more = Json::object()) {
  Json arguments = {{"leftKeys", {kLeftKey}},      {"rightKeys", {kRightKey}},
                    {"joinType", std::move(type)}, {"condition", nullptr},
                    {"left", {{"child", 0}}},      {"right", {{"child", 1}}}};
  arguments.update(more);
  return sample::Node("joins." + name, {kLeftKey, kLeftValue, kRightKey, kRightValue},
                      std::move(arguments), {std::move(left), std::move(right)});
}

inline Json Type(const std::string& name) { return {{"enum", name}}; }

inline Json BuildSide(const std::string& side) { return {{"buildSide", {{"enum", side}}}}; }

inline Json Less() { return sample::Expression("LessThan", "boolean", {kLeftValue, kRightValue}); }

inline Json Sort(const Json& key, Json child) {
  Json output = child["output"];
  return sample::Node("SortExec", output,
                      {{"sortOrder",
                        {sample::Expression("SortOrder", "long", {key},
                                            {{"direction", {{"enum", "Ascending"}}},
                                             {"nullOrdering", {{"enum", "NullsFirst"}}},
                                             {"sameOrderExpressions", Json::array()}})}},
                       {"global", false}},
                      {std::move(child)});
}

inline Json SortedMerge(Json type = Type("Inner")) {
  return Join("SortMergeJoinExec", std::move(type), Sort(kLeftKey, Left()),
              Sort(kRightKey, Right()));
}

inline Json Broadcast(Json child, bool blocks = false) {
  Json output = child["output"];
  Json node =
      sample::Node("exchange.BroadcastExchangeExec", output, Json::object(), {std::move(child)});
  if (blocks) node["blocks"] = true;
  return node;
}

inline Json Shuffle(Json child) {
  Json output = child["output"];
  return sample::Node(
      "exchange.ShuffleExchangeExec", output,
      {{"outputPartitioning",
        {{"class", "org.apache.spark.sql.catalyst.plans.physical.SinglePartition$"}}}},
      {std::move(child)});
}

inline Json Answer(const Json& root) {
  const auto answer =
      Plan(sample::Document(root).dump(),
           Json{{"pass", "replace"}, {"conf", Json::object()}, {"exchanges", true}}.dump());
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? Json::parse(*answer) : Json::object();
}

inline Json First(const Json& root) { return Answer(root)["nodes"][0]; }

inline std::string Marks(const Json& root) {
  std::string marks;
  const Json answer = Answer(root);
  for (const Json& node : answer["nodes"]) marks += node["mark"].get<std::string>();
  return marks;
}

}  // namespace reprise::sample_joins
