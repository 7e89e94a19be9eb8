#include "rules/row_estimate.h"

#include <algorithm>

#include "rules/class_names.h"
#include "rules/operator_tree.h"

namespace reprise {

namespace {

constexpr std::string_view kHandOn[] = {"Filter",     "Project",     "Sort",
                                        "LocalLimit", "GlobalLimit", "HashAggregate"};
constexpr std::string_view kEstimatedJoins[] = {"BroadcastHashJoin", "ShuffledHashJoin",
                                                "SortMergeJoin"};

bool GivesLeftRows(const PlanNode& join) {
  const PlanValue* type = join.argument("joinType");
  return type != nullptr &&
         (type->object != nullptr || type->text == "LeftSemi" || type->text == "LeftAnti");
}

}  // namespace

std::optional<int64_t> EstimatedRows(const PlanNode& node) {
  if (node.rows >= 0) return node.rows;
  const std::string_view name = OperatorName(node);
  const auto& children = node.children;
  const bool hands_on = Has(kHandOn, name) || IsWrapper(node.class_name);
  if (hands_on && children.size() == 1) return EstimatedRows(*children[0]);
  if (!Has(kEstimatedJoins, name) || children.size() != 2) return std::nullopt;
  const auto left = EstimatedRows(*children[0]);
  if (GivesLeftRows(node)) return left;
  const auto right = EstimatedRows(*children[1]);
  if (!left || !right) return std::nullopt;
  return std::max(*left, *right);
}

}  // namespace reprise
