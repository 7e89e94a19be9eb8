// FilterExec -> filter: keeps the rows for which the condition is true.
//
// Input:   FilterExec's `condition`, over its child's output.
// Output:  {"condition":EXPR}
// Example: FilterExec((a#1 < 5), child [a#1])  ->  {"condition":{"function":"less",…column 0,
// literal 5}}
#include "plan/plan_text.h"
#include "rules/operator_table.h"
#include "rules/operator_translation.h"

namespace reprise {

Judgement JudgeFilter(const OperatorQuestion& question) {
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  const PlanValue* condition = question.node.argument("condition");
  if (condition == nullptr) return Refused("FilterExec has no argument \"condition\"");
  auto spec = translation.Translate(*condition);
  if (!spec) return translation.Take();
  if (!spec->type.is(TypeKind::kBoolean)) {
    return Refused("the condition has type " + TypeText(spec->type));
  }
  translation.native().arguments["condition"] = ToJson(*spec);
  translation.native().arguments_text = ValueText(*condition);
  return translation.Take();
}

}  // namespace reprise
