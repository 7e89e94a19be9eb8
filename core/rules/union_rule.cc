// UnionExec -> union, CoalesceExec -> coalesce: Spark puts the partitions of the children together,
// the batches pass as they are.
//
// Input:   the children's columns, which must have the types of the output's.
// Output:  no arguments; the verdict's "union" is the leaf that gives the children's batches.
// Example: Union of [a int] and [b int]  ->  one input of kind batch_input with the column a
#include "plan/value_form.h"
#include "rules/operator_table.h"
#include "rules/operator_translation.h"

namespace reprise {

Judgement JudgeUnion(const OperatorQuestion& question) {
  const auto output = BindingOf(question.node.output);
  if (!output.ok()) return Refused("output " + output.status().message());
  const auto& columns = output->fields();
  Judgement judgement;
  judgement.native.emplace();
  for (const PlanNode* child : question.node.children) {
    const auto input = BindingOf(child->output);
    if (!input.ok()) return Refused("input " + input.status().message());
    if (input->fields().size() != columns.size()) {
      return Refused("its children have different numbers of columns");
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      if (HaveSameForm(input->fields()[i].type, columns[i].type)) continue;
      return Refused(fmt::format("column {} is {} in a child and {} in the result", columns[i].name,
                                 TypeText(input->fields()[i].type), TypeText(columns[i].type)));
    }
    judgement.native->union_of.push_back(input->fields());
  }
  if (question.node.children.empty()) return Refused("it has no children");
  judgement.native->output = columns;
  judgement.native->inputs = {columns};
  return judgement;
}

}  // namespace reprise
