// Pass "neighbours": what runs natively only where its neighbours do.
//
// Input:   the operators' marks.
// Output:  mark '@' and the reason
//          - for an exchange whose input is row-based: its rows would only be converted;
//          - for the filters, projects and exchanges that are connected, where all their inputs and
//            their consumer are row-based: their rows would be converted twice;
//          - for an operator with guests, whose columns become rows and columns again, where its
//            input is row-based, or, of a filter or project, its consumer is; not for guests that
//            are all tried, so that few rows go to Spark, nor for operators of which the pass
//            before knows that they run natively (joins and aggregates of sorted input).
// Example: sort-merge join > project > shuffle of rows  ->  '@' for the project
//
// One such mark can be the reason for another, so this goes on until nothing changes.
#include <algorithm>

#include "rules/pipeline.h"

namespace reprise {

namespace {

constexpr std::string_view kNoGain =
    "both its neighbours are row-based and two transitions would cost more than it gains";
constexpr std::string_view kRowsIn = "its input is row-based";
constexpr std::string_view kGuestsOfRows =
    "Spark evaluates some of its expressions, and its input is row-based";
constexpr std::string_view kGuestsForRows =
    "Spark evaluates some of its expressions, and its consumer is row-based";

/// Batches, or the blocks of an exchange, go from child to parent without a transition. What wraps
/// native operators in a plan that has been run, such as code generation, is no obstacle: it comes
/// after the rules.
bool Connected(const PlanOperator& child) {
  const PlanOperator* parent = child.parent;
  return parent != nullptr && parent->mark == '*' && child.mark == '*' &&
         parent->replaceable == child.replaceable;
}

bool IsExchange(const PlanOperator& subject) {
  return FindOperatorRule(subject.node->class_name)->kind == kShuffleWriteKind;
}

/// Some input is what a native exchange of an earlier stage has written.
bool ReadsBlocks(const PlanOperator& subject, const OperatorTree& tree) {
  for (size_t i = 0; i < subject.node->children.size(); ++i) {
    if (tree.input(subject, i).blocks) return true;
  }
  return false;
}

bool HasNativeInput(const PlanOperator& subject, const OperatorTree& tree) {
  if (ReadsBlocks(subject, tree)) return true;
  return std::ranges::any_of(subject.children, [&](const PlanOperator* child) {
    return child->mark == '*' && child->replaceable == subject.replaceable;
  });
}

bool PaysAlone(const PlanOperator& subject, const OperatorTree& tree) {
  if (!subject.capture.is_null() || ReadsBlocks(subject, tree)) return true;
  const std::string_view kind = FindOperatorRule(subject.node->class_name)->kind;
  return kind != "filter" && kind != "project" && kind != kShuffleWriteKind;
}

void Refuse(PlanOperator* subject, std::string_view reason) {
  subject->mark = '@';
  subject->neighbour_reasons.emplace_back(reason);
}

bool RefuseExchangesOfRows(const OperatorTree& tree) {
  bool has_changed = false;
  for (PlanOperator* subject : tree.operators()) {
    if (subject->mark != '*' || !IsExchange(*subject) || !subject->capture.is_null()) continue;
    if (HasNativeInput(*subject, tree)) continue;
    Refuse(subject, kRowsIn);
    has_changed = true;
  }
  return has_changed;
}

/// Spark's needs its input sorted, and the sorts below may be gone because this one is native.
bool IsSortedOnSpark(const PlanOperator& subject) {
  const std::string_view name = ShortClassName(subject.node->class_name);
  return name == "SortMergeJoinExec" || name == "SortAggregateExec";
}

/// Empty: its guests cost less than its being Spark's.
std::string_view WhyGuestsDoNotPay(const PlanOperator& subject, const OperatorTree& tree) {
  if (!HasNativeInput(subject, tree)) return kGuestsOfRows;
  // Of what an exchange writes either side is read as well.
  if (PaysAlone(subject, tree) || Connected(subject) || IsExchange(subject)) return "";
  return kGuestsForRows;
}

bool RefuseGuestsThatDoNotPay(const OperatorTree& tree) {
  bool has_changed = false;
  for (PlanOperator* subject : tree.operators()) {
    if (subject->mark != '*' || !subject->judgement.native->HasRowsForGuests()) continue;
    if (IsSortedOnSpark(*subject)) continue;
    const std::string_view reason = WhyGuestsDoNotPay(*subject, tree);
    if (reason.empty()) continue;
    LeaveGuestsToSpark(subject, reason);
    has_changed = true;
  }
  return has_changed;
}

void Collect(PlanOperator* subject, std::vector<PlanOperator*>* piece) {
  piece->push_back(subject);
  for (PlanOperator* child : subject->children) {
    if (child->parent == subject && Connected(*child)) Collect(child, piece);
  }
}

bool RefuseWhatDoesNotPay(const OperatorTree& tree) {
  bool has_changed = false;
  for (PlanOperator* subject : tree.operators()) {
    if (subject->mark != '*' || Connected(*subject)) continue;
    std::vector<PlanOperator*> piece;
    Collect(subject, &piece);
    if (std::ranges::any_of(piece, [&](const auto* member) { return PaysAlone(*member, tree); })) {
      continue;
    }
    for (PlanOperator* member : piece) Refuse(member, IsExchange(*member) ? kRowsIn : kNoGain);
    has_changed = true;
  }
  return has_changed;
}

}  // namespace

Status WeighNeighbours(Planning* planning) {
  if (!planning->is_judged) return Status::OK();
  while (true) {
    if (RefuseGuestsThatDoNotPay(planning->tree)) continue;
    if (RefuseExchangesOfRows(planning->tree)) continue;
    if (!RefuseWhatDoesNotPay(planning->tree)) return Status::OK();
  }
}

}  // namespace reprise
