#include "rules/operator_tree.h"

#include "rules/class_names.h"

namespace reprise {

namespace {

constexpr std::string_view kQueryStages[] = {"ShuffleQueryStageExec", "BroadcastQueryStageExec",
                                             "ResultQueryStageExec"};

constexpr std::string_view kOtherWrappers[] = {
    "AdaptiveSparkPlanExec",
    // A stage that nothing plans by itself: it only holds the scan.
    "TableCacheQueryStageExec",
    "AQEShuffleReadExec",
    "WholeStageCodegenExec",
    "InputAdapter",
    "ColumnarToRowExec",
    "RowToColumnarExec",
    "ReusedExchangeExec",
    "ReusedSubqueryExec",
    "SubqueryExec",
    "SubqueryBroadcastExec",
    "SubqueryAdaptiveBroadcastExec",
};

constexpr std::string_view kExecution = "org.apache.spark.sql.execution.";

template <size_t kCount>
bool IsExecutionClass(const std::string_view (&names)[kCount], std::string_view class_name) {
  return class_name.starts_with(kExecution) && Has(names, ShortClassName(class_name));
}

}  // namespace

bool IsQueryStage(std::string_view class_name) {
  return IsExecutionClass(kQueryStages, class_name);
}

void LeaveGuestsToSpark(PlanOperator* subject, std::string_view reason) {
  subject->mark = '@';
  subject->neighbour_reasons.emplace_back(reason);
  for (std::string& why : subject->judgement.native->GuestReasons()) {
    subject->neighbour_reasons.push_back(std::move(why));
  }
}

bool IsWrapper(std::string_view class_name) {
  return IsQueryStage(class_name) || IsExecutionClass(kOtherWrappers, class_name);
}

const PlanNode* WrappedBy(const PlanNode& node) {
  if (!node.children.empty()) return node.children[0];
  for (const auto& [name, value] : node.arguments) {
    if (value.is(PlanValue::Kind::kPlan)) return value.node;
  }
  return nullptr;
}

bool IsBroadcast(const PlanNode& node) {
  const PlanNode* inner = &node;
  while (inner != nullptr) {
    const std::string_view name = ShortClassName(inner->class_name);
    if (name == "BroadcastQueryStageExec" || name == "BroadcastExchangeExec") return true;
    if (!IsWrapper(inner->class_name)) return false;
    inner = WrappedBy(*inner);
  }
  return false;
}

std::string_view OperatorName(const PlanNode& node) {
  std::string_view name = ShortClassName(node.class_name);
  if (name.ends_with("Exec")) name.remove_suffix(4);
  return name;
}

OperatorTree::OperatorTree(const PlanDocument& plan) {
  VisitTree(plan.root(), true, nullptr);
  while (!waiting_.empty()) {
    const auto [root, owner] = waiting_.front();
    waiting_.pop_front();
    VisitTree(*root, false, owner);
  }
}

PlanOperator* OperatorTree::find(const PlanNode& node) const {
  const auto found = by_node_.find(&node);
  return found == by_node_.end() ? nullptr : found->second;
}

const PlanNode& OperatorTree::input(const PlanOperator& subject, size_t index) const {
  const PlanNode* node = subject.node->children[index];
  const PlanOperator* child = find(*node);
  while (child != nullptr && child->mark == '#') {
    node = child->node->children[0];
    child = find(*node);
  }
  return *node;
}

PlanOperator* OperatorTree::resolve(const PlanNode& node) const {
  const PlanNode* wrapped = &node;
  while (wrapped != nullptr && IsWrapper(wrapped->class_name)) wrapped = WrappedBy(*wrapped);
  return wrapped == nullptr ? nullptr : find(*wrapped);
}

PlanOperator* OperatorTree::Add(const Visit& visit) {
  PlanOperator& added = storage_.emplace_back();
  added.node = visit.node;
  added.parent = visit.parent;
  added.depth = visit.depth;
  added.replaceable = visit.replaceable;
  order_.push_back(&added);
  by_node_[visit.node] = &added;
  std::vector<const PlanNode*> plans;
  for (const auto& [name, value] : visit.node->arguments) CollectPlans(value, &plans);
  for (const PlanNode* plan : plans) waiting_.emplace_back(plan, &added);
  return &added;
}

void OperatorTree::VisitTree(const PlanNode& root, bool replaceable, PlanOperator* owner) {
  std::vector<Visit> stack = {{&root, nullptr, 0, replaceable}};
  while (!stack.empty()) {
    Visit visit = stack.back();
    stack.pop_back();
    while (visit.node != nullptr && IsWrapper(visit.node->class_name)) {
      if (IsQueryStage(visit.node->class_name)) visit.replaceable = false;
      visit.node = WrappedBy(*visit.node);
    }
    if (visit.node == nullptr) continue;
    PlanOperator* here = find(*visit.node);
    const bool is_new = here == nullptr;
    if (is_new) here = Add(visit);
    if (visit.parent != nullptr) {
      visit.parent->children.push_back(here);
    } else if (owner != nullptr) {
      owner->subplans.push_back(here);
      if (is_new) here->owner = owner;
    }
    if (!is_new) continue;
    const auto& children = visit.node->children;
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      stack.push_back({*child, here, visit.depth + 1, visit.replaceable});
    }
  }
}

void OperatorTree::CollectPlans(const PlanValue& value, std::vector<const PlanNode*>* plans) {
  if (value.is(PlanValue::Kind::kPlan)) plans->push_back(value.node);
  for (const PlanValue& item : value.items) CollectPlans(item, plans);
  if (value.object == nullptr) return;
  if (!objects_seen_.emplace(value.object, true).second) return;
  for (const auto& [name, argument] : value.object->arguments) CollectPlans(argument, plans);
  for (const PlanValue& child : value.object->children) CollectPlans(child, plans);
}

}  // namespace reprise
