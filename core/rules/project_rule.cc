// ProjectExec -> project: computes the columns of its list.
//
// Input:   ProjectExec's `projectList`, attributes and aliases over its child's output.
// Output:  {"expressions":[EXPR…]}, one an output column; "commons":false where Spark does not
// evaluate first what they have in common, "deferred":false where it computes them at once.
// Example: ProjectExec([a#1, (a#1 + 1) AS b#2])  ->  {"expressions":[column 0, add(column 0,
// literal 1)]}
#include "plan/plan_text.h"
#include "rules/operator_table.h"
#include "rules/operator_translation.h"

namespace reprise {

Judgement JudgeProject(const OperatorQuestion& question) {
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  translation.AllowGuests();
  const PlanValue* list = question.node.argument("projectList");
  if (list == nullptr || !list->is(PlanValue::Kind::kList)) {
    return Refused("ProjectExec has no argument \"projectList\"");
  }
  if (list->items.size() != question.node.output.size()) {
    return Refused("ProjectExec has not one expression for each output column");
  }
  translation.native().arguments["expressions"] = translation.TranslateAll(list->items);
  if (!HasCommonSubexpressions(question.config)) {
    translation.native().arguments["commons"] = false;
  }
  if (!IsGenerated(question)) translation.native().arguments["deferred"] = false;
  translation.native().arguments_text = ValueText(*list);
  return translation.Take();
}

}  // namespace reprise
