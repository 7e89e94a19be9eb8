// ExpandExec -> expand: several projections of each row.
//
// Input:   ExpandExec's `projections`, lists of expressions over its child's output.
// Output:  {"projections":[[EXPR…]…]}
// Example: Expand [[a#1, 0], [null, 1]]  ->  {"projections":[[column 0, literal 0],[…]]}
#include "plan/plan_text.h"
#include "plan/value_form.h"
#include "rules/operator_table.h"
#include "rules/operator_translation.h"

namespace reprise {

Judgement JudgeExpand(const OperatorQuestion& question) {
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  const PlanValue* projections = question.node.argument("projections");
  if (projections == nullptr || !projections->is(PlanValue::Kind::kList)) {
    return Refused("ExpandExec has no argument \"projections\"");
  }
  auto lists = nlohmann::json::array();
  for (const PlanValue& projection : projections->items) {
    if (projection.items.size() != question.node.output.size()) {
      return Refused("ExpandExec has not one expression for each output column");
    }
    auto list = nlohmann::json::array();
    for (size_t i = 0; i < projection.items.size(); ++i) {
      const auto spec = translation.Translate(projection.items[i]);
      if (!spec) continue;
      const DataType& expected = translation.native().output[i].type;
      if (!HaveSameForm(spec->type, expected)) {
        return Refused(fmt::format("a projection has {} where {} is expected", TypeText(spec->type),
                                   TypeText(expected)));
      }
      list.push_back(ToJson(*spec));
    }
    lists.push_back(std::move(list));
  }
  translation.native().arguments["projections"] = std::move(lists);
  translation.native().arguments_text = ValueText(*projections);
  return translation.Take();
}

}  // namespace reprise
