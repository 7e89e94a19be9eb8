// Pass "explain": the text that tells the user what runs natively and why the rest does not.
//
// Input:   the operators' marks and reasons; spark.reprise.sql.explain.
// Output:  one line an operator, indented as the tree, and below it the refused expressions:
//            !Exec <SortMergeJoinExec> [loreId=3 SortMergeJoin#0 81b6…] cannot run natively because
//            …
//              *Exec <FilterExec> [loreId=5 Filter#0 0c9d…] will run natively
//          A removed operator has the mark #. NOT_NATIVE prints the lines with ! and @ only.
//
// A query is explained when its first plan is looked at, and whenever it is asked for later; not
// when adaptive execution plans the rest again.
#include <algorithm>

#include "rules/pipeline.h"

namespace reprise {

namespace {

std::string Verdict(const PlanOperator& subject) {
  switch (subject.mark) {
    case '*':
      return "will run natively";
    case '#':
      return fmt::format("is removed because {}", fmt::join(subject.neighbour_reasons, "; "));
    case '@':
      return fmt::format("could run natively but stays with Spark because {}",
                         fmt::join(subject.neighbour_reasons, "; "));
    default:
      return fmt::format("cannot run natively because {}",
                         fmt::join(subject.judgement.AllReasons(), "; "));
  }
}

/// What the operator can be chosen by for a dump.
std::string NamesOfOperator(const PlanOperator& subject) {
  if (subject.lore_id == 0) return "";
  return fmt::format(" [loreId={} {} {}]", subject.lore_id, subject.occurrence,
                     subject.fingerprint);
}

void AddOperator(const PlanOperator& subject, bool all, std::string* text) {
  if ((subject.mark == '*' || subject.mark == '#') && !all) return;
  const std::string indent(static_cast<size_t>(subject.depth) * 2, ' ');
  *text += fmt::format("{}{}Exec <{}>{} {}\n", indent, subject.mark,
                       ShortClassName(subject.node->class_name), NamesOfOperator(subject),
                       Verdict(subject));
  for (const Refusal& refusal : subject.judgement.refusals) {
    *text += fmt::format("{}    !Expression <{}> {} cannot run natively because {}\n", indent,
                         refusal.expression, refusal.text, refusal.reason);
  }
  if (!all) return;
  for (const std::string& expression : subject.judgement.accepted) {
    *text += fmt::format("{}    *Expression {} {}\n", indent, expression,
                         subject.mark == '*' ? "will run natively" : "could run natively");
  }
}

/// Adaptive execution's plans hold operators that are new and have no id yet.
bool IsAsked(const Planning& planning) {
  if (planning.is_first_look) return true;
  if (planning.request.pass != PlanRequest::Pass::kTag) return false;
  return std::ranges::all_of(planning.tree.operators(), [](const PlanOperator* subject) {
    return !subject->replaceable || subject->node->lore_id != 0;
  });
}

}  // namespace

Status ExplainPlan(Planning* planning) {
  const ExplainMode mode = planning->config().explain();
  if (mode == ExplainMode::kNone || !IsAsked(*planning)) return Status::OK();
  for (const PlanOperator* subject : planning->tree.operators()) {
    AddOperator(*subject, mode == ExplainMode::kAll, &planning->explain);
  }
  return Status::OK();
}

}  // namespace reprise
