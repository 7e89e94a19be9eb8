// Pass "sorts": removes the sorts below sort-merge joins and sort aggregates that run natively.
//
// Input:   the operators' marks.
// Output:  mark '#' for a SortExec that a native SortMergeJoinExec reads: on its build side always,
//          on its probe side where no operator above needs the order that the join promises. There
//          the join builds the side with fewer rows, as far as ended stages tell;
//          "ordered":false among the arguments of each native join, and "sorted":false among those
//          of each native SortAggregateExec, whose order nobody needs: it then promises none
//          (NativeOperator.keeps_order), and its input may have none: the sort below it goes, too.
// Example: shuffle > sort-merge join > two sorts of shuffles  ->  '#' for both sorts
//
// A native join keeps the order of its probe side, so with that side's sort its output has Spark's
// order. Spark relies on that order where it has left out a sort, but not only there: a limit, also
// one of sorted rows (which of equal rows stay), a function such as first, and an expression that
// numbers rows see it too. So a sort goes only where
// all operators above, up to one that forgets the order, are known not to see it (order_use.h); who
// takes the plan's result sees it (and a cached result remembers its order). Of a sort in between
// the order of its equal rows is seen: where it sorts by all keys of the join, rows of one key,
// which come in the same order whether the probe side is sorted or not. Under adaptive
// execution the plan is one stage, whose root is an exchange: nobody needs its input's order.
//
// What a join by hash reads of an exchange is in no order that Spark promises, but in one that its
// rows have: such a join too is told whether that is seen above it, in case that it spills.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "rules/class_names.h"
#include "rules/join_rule.h"
#include "rules/order_use.h"
#include "rules/pipeline.h"
#include "rules/row_estimate.h"

namespace reprise {

namespace {

constexpr std::string_view kReason = "no operator needs its order";
constexpr std::string_view kFullReason =
    "an operator above sees the order of its rows, which a full join does not keep natively";

/// Operators that hand the plan's result to who wants it.
constexpr std::string_view kResultTakers[] = {
    "WriteFilesExec",
    "DataWritingCommandExec",
    "AppendDataExec",
    "OverwriteByExpressionExec",
    "OverwritePartitionsDynamicExec",
};

std::string_view ClassOf(const PlanOperator& subject) {
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
      if (subject->mark != '*' || !subject->replaceable) continue;
      if (ClassOf(*subject) == "SortAggregateExec") {
        const Seer seer = SeerOf(*subject);
        // Each key has one row.
        const bool is_seen = seer != Seer::kNobody && seer != Seer::kOfOneKey;
        const bool is_needed = is_seen || SeesOrder(*subject);
        KeepOrder(subject, "sorted", is_needed);
        if (!is_needed) TryRemove(subject, 0);
      } else if (ClassOf(*subject).ends_with("JoinExec")) {
        DecideJoin(subject);
      }
    }
  }

 private:
  static size_t BuildChild(const PlanOperator& join) {
    return join.judgement.native->arguments["buildSide"] == "left" ? 0 : 1;
  }

  /// Tells an operator whether its order is needed. A join that spills has to do more for it.
  static void KeepOrder(PlanOperator* subject, const char* argument, bool is_needed) {
    NativeOperator& native = *subject->judgement.native;
    native.keeps_order = is_needed;
    if (!is_needed) native.arguments[argument] = false;
  }

  void DecideJoin(PlanOperator* join) {
    const bool is_merge = ClassOf(*join) == "SortMergeJoinExec";
    const bool is_full = join->judgement.native->arguments["joinType"] == "full";
    if (is_full && is_merge && SeerOf(*join) == Seer::kOperator && CanBeRefused(*join)) {
      return Refuse(join);
    }
    // A full join promises no order, though Spark's has one.
    const Seer seer = is_full ? Seer::kNobody : SeerOf(*join);
    const bool is_needed = seer != Seer::kNobody && seer != Seer::kOfOneKey;
    KeepOrder(join, "ordered", seer != Seer::kNobody);
    join->judgement.native->keeps_order = is_needed;
    if (!is_merge) return;
    if (seer == Seer::kNobody) BuildSmallerSide(join);
    const size_t build = BuildChild(*join);
    TryRemove(join, build);
    if (!is_needed) TryRemove(join, 1 - build);
  }

  /// What is to be recorded or checked of it has been written as for a native operator.
  static bool CanBeRefused(const PlanOperator& subject) {
    return subject.capture.is_null() && subject.assertions.is_null();
  }

  /// Spark's gives both sides' rows in the order of their keys; natively, the rows of one side
  /// without a match come last.
  static void Refuse(PlanOperator* join) {
    join->mark = '!';
    join->judgement.native.reset();
    join->judgement.reasons = {std::string(kFullReason)};
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
  void TryRemove(PlanOperator* above, size_t index) {
    PlanOperator* sort = tree_.resolve(*above->node->children[index]);
    if (sort == nullptr || ClassOf(*sort) != "SortExec") return;
    if (!sort->capture.is_null() || !sort->assertions.is_null()) return;
    if (sort->parent != above || consumers_[sort] != 1) return;
    for (PlanOperator* input : sort->children) {
      if (input->parent != sort || consumers_[input] != 1) return;
    }
    sort->mark = '#';
    sort->neighbour_reasons = {std::string(kReason)};
    const auto place = std::ranges::find(above->children, sort);
    if (sort->children.empty()) {
      above->children.erase(place);
      return;
    }
    *place = sort->children[0];
    sort->children[0]->parent = above;
  }

  static bool SeesOrder(const PlanOperator& subject) {
    return OrderUseOf(*subject.node) == OrderUse::kNeeds;
  }

  enum class Seer {
    kNobody,
    kOfOneKey,  ///< somebody, but only of rows with the same keys
    kOperator,
    kResult
  };

  /// Who sees the order of `subject`'s output: an operator above, or who takes the plan's result.
  Seer SeerOf(const PlanOperator& subject) const {
    const PlanOperator* child = &subject;
    bool is_sorted = false;  // by all keys
    while (child->parent != nullptr) {
      const PlanOperator& parent = *child->parent;
      if (Has(kResultTakers, ClassOf(parent))) return is_sorted ? Seer::kOfOneKey : Seer::kResult;
      const OrderUse use = consumers_.at(child) != 1 ? OrderUse::kNeeds : UseBy(parent, *child);
      if (use == OrderUse::kNeeds) return is_sorted ? Seer::kOfOneKey : Seer::kOperator;
      if (use == OrderUse::kForgets) return Seer::kNobody;
      is_sorted = is_sorted || SortsByKeysOf(parent, subject);
      child = child->parent;
    }
    return is_sorted ? Seer::kOfOneKey : Seer::kResult;
  }

  /// The columns that a list of expressions, or of orders, has as they are.
  static std::set<int64_t> ColumnsIn(const PlanValue* list) {
    std::set<int64_t> columns;
    if (list == nullptr) return columns;
    for (const PlanValue& item : list->items) {
      const PlanObject* object = item.object;
      const bool is_order = object != nullptr && ShortClassName(object->class_name) == "SortOrder";
      if (is_order) object = object->child(0);
      if (object == nullptr || ShortClassName(object->class_name) != "AttributeReference") continue;
      columns.insert(AttributeOf(*object)->expr_id);
    }
    return columns;
  }

  /// Whether rows that `sort` finds equal have the same keys of `subject`, a join or an aggregate:
  /// those of the side whose rows all come out, of an inner join those of either.
  static bool SortsByKeysOf(const PlanOperator& sort, const PlanOperator& subject) {
    if (ClassOf(sort) != "SortExec") return false;
    const std::set<int64_t> sorted = ColumnsIn(sort.node->argument("sortOrder"));
    const auto has_all = [&](const char* argument) {
      const PlanValue* keys = subject.node->argument(argument);
      const std::set<int64_t> columns = ColumnsIn(keys);
      return keys != nullptr && !columns.empty() && columns.size() == keys->items.size() &&
             std::ranges::includes(sorted, columns);
    };
    if (ClassOf(subject) == "SortAggregateExec") return has_all("groupingExpressions");
    const auto& type = subject.judgement.native->arguments["joinType"];
    if (type == "full") return false;  // of rows without a match either side's are null
    if (type == "inner") return has_all("leftKeys") || has_all("rightKeys");
    return has_all(type == "right" ? "rightKeys" : "leftKeys");
  }

  /// What `parent` does with the order of its `child`.
  OrderUse UseBy(const PlanOperator& parent, const PlanOperator& child) const {
    const std::string_view name = ClassOf(parent);
    if (DealsByOrder(parent)) return OrderUse::kNeeds;
    const bool is_native = parent.mark == '*';
    if (name == "SortAggregateExec" && !is_native) return OrderUse::kNeeds;
    if (!name.ends_with("JoinExec")) return OrderUseOf(*parent.node);
    if (name == "SortMergeJoinExec" && !is_native) return OrderUse::kNeeds;
    const auto build = BuildSide(parent);
    if (!build || !IsOfItsRowAlone(parent.node->argument("condition"))) return OrderUse::kNeeds;
    const bool is_build = tree_.resolve(tree_.input(parent, *build)) == &child;
    return is_build ? OrderUse::kForgets : OrderUse::kHandsOn;
  }

  /// An exchange that deals rows out one after the other, and does not sort them before. Of one
  /// that is not native it is not known whether it does.
  static bool DealsByOrder(const PlanOperator& exchange) {
    if (exchange.judgement.native) return exchange.judgement.native->order_sensitive;
    const PlanValue* partitioning = exchange.node->argument("outputPartitioning");
    return partitioning != nullptr && partitioning->object != nullptr &&
           ShortClassName(partitioning->object->class_name) == "RoundRobinPartitioning";
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
