#include "rules/operator_translation.h"

#include <algorithm>

#include "plan/plan_text.h"

namespace reprise {

OperatorTranslation::OperatorTranslation(const OperatorQuestion& question) {
  const PlanNode& node = question.node;
  if (node.children.size() != 1) {
    judgement_.reasons.push_back(fmt::format("it has {} children", node.children.size()));
    return;
  }
  auto input = BindingOf(node.children[0]->output);
  auto output = BindingOf(node.output);
  if (!input.ok()) judgement_.reasons.push_back("input " + input.status().message());
  if (!output.ok()) judgement_.reasons.push_back("output " + output.status().message());
  if (!input.ok() || !output.ok()) return;
  input_ = std::move(*input);
  judgement_.native.emplace();
  native().inputs.push_back(input_.fields());
  native().output = output->fields();
}

std::optional<ExpressionSpec> OperatorTranslation::Translate(const PlanValue& expression,
                                                             const Binding& binding) {
  ExpressionTranslator translator(binding);
  auto spec = translator.Translate(expression);
  // A column or a constant as it is says nothing.
  if (spec && spec->function != "column" && spec->function != "literal") {
    std::string text = fmt::format("<{}> {}", ShortClassName(expression.object->class_name),
                                   ValueText(expression));
    auto& accepted = judgement_.accepted;
    if (std::ranges::find(accepted, text) == accepted.end()) accepted.push_back(std::move(text));
  }
  for (const Refusal& refusal : translator.refusals()) {
    auto& all = judgement_.refusals;
    if (std::ranges::find(all, refusal) == all.end()) all.push_back(refusal);
  }
  return spec;
}

}  // namespace reprise
