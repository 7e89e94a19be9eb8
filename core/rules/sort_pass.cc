// Pass "sorts": removes the sorts below sort-merge joins that run natively.
//
// Input:   the operators' marks.
// Output:  mark '#' for a SortExec that a native SortMergeJoinExec reads: on its build side always,
//          on its probe side where no operator above needs the order that the join promises. There
//          the join builds the side with fewer rows, as far as ended stages tell;
//          "ordered":false among the arguments of each native join whose order nobody needs.
// Example: shuffle > sort-merge join > two sorts of shuffles  ->  '#' for both sorts
//
// A native join keeps the order of its probe side, so with that side's sort its output has Spark's
// order. What needs an order is known from Spark's requiredChildOrdering and outputOrdering; an
// operator that is not listed here needs it, and so does who takes the plan's result (a cached
// result remembers its order). Under adaptive execution the plan is one stage, whose root is an
// exchange: nobody needs its input's order.
#include <algorithm>
#include <unordered_map>

#include "rules/class_names.h"
#include "rules/join_rule.h"
#include "rules/pipeline.h"
#include "rules/row_estimate.h"

namespace reprise {

namespace {

constexpr std::string_view kReason = "no operator needs its order";

/// Operators whose output has no order, or one of their own making.
constexpr std::string_view kForget[] = {
    "ShuffleExchangeExec",
    "BroadcastExchangeExec",
    "HashAggregateExec",
    "ObjectHashAggregateExec",
    "SortExec",
    "TakeOrderedAndProjectExec",
    "ExpandExec",
    "CartesianProductExec",
};

/// What a join reads without any order.
constexpr std::string_view kUnordered[] = {
    "ShuffleExchangeExec",   "ShuffleQueryStageExec", "AQEShuffleReadExec",
    "BroadcastExchangeExec", "HashAggregateExec",     "ExpandExec",
    "CartesianProductExec",
};

/// Operators that need no order, but hand on that of their child.
constexpr std::string_view kHandOn[] = {"FilterExec", "ProjectExec", "LocalLimitExec",
                                        "GlobalLimitExec"};

std::string_view NameOf(const PlanOperator& subject) {
  return ShortClassName(subject.node->class_name);
}

class SortRemoval {
 public:
  explicit SortRemoval(OperatorTree* tree) : tree_(*tree) {
    for (const PlanOperator* subject : tree_.operators()) {
      for (const PlanOperator* child : subject->children) ++consumers_[child];
    }
  }

  /// Parents come first, so that what stands above a join is decided before it.
  void Run() {
    for (PlanOperator* subject : tree_.operators()) {
      const bool is_native = subject->mark == '*' && subject->replaceable;
      if (!is_native || !NameOf(*subject).ends_with("JoinExec")) continue;
      const bool is_needed = HasOrder(*subject) && IsOrderNeeded(*subject);
      // A join that spills has to do more for the order.
      if (!is_needed) subject->judgement.native->arguments["ordered"] = false;
      if (NameOf(*subject) != "SortMergeJoinExec") continue;
      if (!is_needed) BuildSmallerSide(subject);
      const size_t build = BuildChild(*subject);
      TryRemove(subject, build);
      if (!is_needed) TryRemove(subject, 1 - build);
    }
  }

 private:
  static size_t BuildChild(const PlanOperator& join) {
    return join.judgement.native->arguments["buildSide"] == "left" ? 0 : 1;
  }

  static void BuildSmallerSide(PlanOperator* join) {
    NativeOperator& native = *join->judgement.native;
    const std::string& type = native.arguments["joinType"].get_ref<const std::string&>();
    // These ask for each row of the left side whether it has a match.
    if (type == "semi" || type == "anti" || type == "existence") return;
    const auto left = EstimatedRows(*join->node->children[0]);
    const auto right = EstimatedRows(*join->node->children[1]);
    if (left && right) SetBuildSide(*join->node, *left < *right, &native);
  }

  /// What the sort reads may stand in another stage, of which the plan does not always tell.
  void TryRemove(PlanOperator* join, size_t index) {
    PlanOperator* sort = tree_.resolve(*join->node->children[index]);
    if (sort == nullptr || NameOf(*sort) != "SortExec") return;
    if (!sort->capture.is_null() || !sort->assertions.is_null()) return;
    if (sort->parent != join || consumers_[sort] != 1) return;
    for (PlanOperator* input : sort->children) {
      if (input->parent != sort || consumers_[input] != 1) return;
    }
    sort->mark = '#';
    sort->neighbour_reasons = {std::string(kReason)};
    const auto place = std::ranges::find(join->children, sort);
    if (sort->children.empty()) {
      join->children.erase(place);
      return;
    }
    *place = sort->children[0];
    sort->children[0]->parent = join;
  }

  /// The join's probe side may have an order.
  bool HasOrder(const PlanOperator& join) const {
    const PlanNode* node = &tree_.input(join, 1 - BuildChild(join));
    while (Has(kHandOn, ShortClassName(node->class_name)) && node->children.size() == 1) {
      node = node->children[0];
    }
    return !Has(kUnordered, ShortClassName(node->class_name));
  }

  /// Some operator above needs the order of `subject`'s output.
  bool IsOrderNeeded(const PlanOperator& subject) {
    if (subject.judgement.native->arguments["joinType"] == "full") return false;
    const PlanOperator* child = &subject;
    while (child->parent != nullptr && consumers_[child] == 1) {
      const PlanOperator& parent = *child->parent;
      const std::string_view name = NameOf(parent);
      if (Has(kForget, name)) return false;
      if (name.ends_with("JoinExec")) {
        if (name == "SortMergeJoinExec" && parent.mark != '*') return true;
        const auto build = BuildSide(parent);
        if (!build) return true;
        if (tree_.resolve(tree_.input(parent, *build)) == child) return false;
      } else if (name == "SortAggregateExec") {
        if (parent.mark != '*') return true;
      } else if (!Has(kHandOn, name)) {
        return true;
      }
      child = &parent;
    }
    return true;
  }

  /// The child that a join, Spark's or ours, holds in memory; its order does not matter.
  static std::optional<size_t> BuildSide(const PlanOperator& join) {
    if (join.node->children.size() != 2) return std::nullopt;
    if (join.mark == '*') return BuildChild(join);
    const PlanValue* side = join.node->argument("buildSide");
    if (side == nullptr) return std::nullopt;
    return side->text == "BuildLeft" ? 0 : 1;
  }

  OperatorTree& tree_;
  std::unordered_map<const PlanOperator*, int> consumers_;
};

}  // namespace

Status RemoveSorts(Planning* planning) {
  if (planning->is_judged) SortRemoval(&planning->tree).Run();
  return Status::OK();
}

}  // namespace reprise
