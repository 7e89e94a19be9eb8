// Pass "neighbours": fragments that would not pay stay with Spark.
//
// Input:   the operators' marks.
// Output:  mark '@' and the reason where a fragment has only filters and projects: all its inputs
// and its consumer are
//          row-based, so that its rows would be converted twice.
// Example: sort-merge join > project > shuffle of rows  ->  '@' for the project
#include <algorithm>

#include "rules/pipeline.h"

namespace reprise {

namespace {

constexpr std::string_view kReason =
    "both its neighbours are row-based and two transitions would cost more than it gains";

/// Batches go from child to parent without a transition. What wraps native operators in a plan that
/// has been run, such as code generation, is no obstacle: it comes after the rules.
bool Connected(const PlanOperator& child) {
  const PlanOperator* parent = child.parent;
  return parent != nullptr && parent->mark == '*' && child.mark == '*' &&
         parent->replaceable == child.replaceable;
}

bool PaysAlone(const PlanOperator& subject) {
  const OperatorRule* rule = FindOperatorRule(subject.node->class_name);
  return (rule->kind != "filter" && rule->kind != "project") || !subject.capture.is_null();
}

void Collect(PlanOperator* subject, std::vector<PlanOperator*>* fragment) {
  fragment->push_back(subject);
  for (PlanOperator* child : subject->children) {
    if (child->parent == subject && Connected(*child)) Collect(child, fragment);
  }
}

}  // namespace

Status WeighNeighbours(Planning* planning) {
  if (!planning->is_judged) return Status::OK();
  std::vector<std::vector<PlanOperator*>> fragments;
  for (PlanOperator* subject : planning->tree.operators()) {
    if (subject->mark != '*' || Connected(*subject)) continue;
    Collect(subject, &fragments.emplace_back());
  }
  for (const auto& fragment : fragments) {
    if (std::ranges::any_of(fragment, [](const auto* member) { return PaysAlone(*member); })) {
      continue;
    }
    for (PlanOperator* member : fragment) {
      member->mark = '@';
      member->neighbour_reasons.emplace_back(kReason);
    }
  }
  return Status::OK();
}

}  // namespace reprise
