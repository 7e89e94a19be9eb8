// The pass that finds out of which expands the order of rows is seen.
#include <gtest/gtest.h>

#include "rules/sample_joins.h"

namespace reprise {
namespace {

using sample::Json;
using namespace sample_joins;

const Json kNumber = sample::Column("g", 5, "integer");

/// Of two projections, which have these numbers in their second column.
Json Expanded(int first, int second) {
  const Json projections = {{kLeftKey, sample::Literal(first, "integer")},
                            {kLeftKey, sample::Literal(second, "integer")}};
  return sample::Node("ExpandExec", {kLeftKey, kNumber}, {{"projections", projections}}, {Left()});
}

Json AggregatedBy(const std::string& function, const std::vector<Json>& keys, Json child) {
  const std::string package = "aggregate.";
  Json of = sample::Expression(package + function, "long", {kLeftKey}, sample::EvalContext("ANSI"));
  Json expression = sample::Expression(package + "AggregateExpression", "long", {std::move(of)},
                                       {{"mode", {{"enum", "Partial"}}}});
  return sample::Node("aggregate.HashAggregateExec", keys,
                      {{"groupingExpressions", keys},
                       {"aggregateExpressions", {std::move(expression)}},
                       {"resultExpressions", keys}},
                      {std::move(child)});
}

bool IsOrdered(const Json& root, size_t node) {
  const Json arguments = Answer(root)["nodes"][node]["native"]["operator"]["arguments"];
  EXPECT_TRUE(arguments.contains("projections")) << arguments;
  return arguments.value("ordered", false);
}

TEST(ExpandPassTest, WhoTakesTheRowsSeesTheirOrder) {
  EXPECT_TRUE(IsOrdered(Expanded(0, 1), 0));
  EXPECT_TRUE(IsOrdered(Shuffle(Expanded(0, 1)), 1)) << "which hands them on in their order";
  const Json limit =
      sample::Node("LocalLimitExec", {kLeftKey, kNumber}, {{"limit", 5}}, {Expanded(0, 1)});
  EXPECT_TRUE(IsOrdered(limit, 1));
}

TEST(ExpandPassTest, AnAggregateSeesItOnlyWithinItsGroups) {
  const auto ordered = [](const std::string& function, const std::vector<Json>& keys,
                          const Json& expand) {
    return IsOrdered(AggregatedBy(function, keys, expand), 1);
  };
  EXPECT_FALSE(ordered("Sum", {kLeftKey}, Expanded(0, 1))) << "in any order";
  EXPECT_TRUE(ordered("First", {kLeftKey}, Expanded(0, 1)));
  EXPECT_FALSE(ordered("First", {kLeftKey, kNumber}, Expanded(0, 1)));
  EXPECT_TRUE(ordered("First", {kLeftKey, kNumber}, Expanded(1, 1)));
}

}  // namespace
}  // namespace reprise
