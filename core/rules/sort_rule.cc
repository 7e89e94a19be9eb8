// SortExec -> sort: sorts each partition; a global sort stands above an exchange by range.
//
// Input:   SortExec's `sortOrder`.
// Output:  {"ordering":[{"expression":EXPR,"ascending":bool,"nullsFirst":bool}…]}
// Example: Sort [a#1 DESC NULLS LAST]  ->  {"ordering":[{column 0, false, false}]}
#include "plan/plan_text.h"
#include "rules/operator_table.h"
#include "rules/order_translation.h"

namespace reprise {

Judgement JudgeSort(const OperatorQuestion& question) {
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  translation.AllowGuests();
  const PlanValue* order = question.node.argument("sortOrder");
  if (order == nullptr || !order->is(PlanValue::Kind::kList) || order->items.empty()) {
    return Refused("SortExec has no argument \"sortOrder\"");
  }
  translation.native().arguments["ordering"] = OrderJson(&translation, order->items);
  translation.native().arguments_text = ValueText(*order);
  return translation.Take();
}

}  // namespace reprise
