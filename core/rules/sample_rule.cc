// SampleExec -> sample: keeps rows by chance.
//
// Input:   `lowerBound`, `upperBound` and `seed`; `withReplacement` is left to Spark, whose numbers
//          are Apache Commons Math's.
// Output:  {"lower":double,"upper":double,"seed":long}
// Example: Sample 0.0, 0.1, false, 42  ->  {"lower":0.0,"upper":0.1,"seed":42}
#include "rules/expression_table.h"
#include "rules/operator_table.h"
#include "rules/operator_translation.h"

namespace reprise {

namespace {

std::optional<double> DoubleOf(const PlanValue* value) {
  if (value == nullptr || !value->is(PlanValue::Kind::kDouble)) return std::nullopt;
  return ParseDouble(value->text);
}

}  // namespace

Judgement JudgeSample(const OperatorQuestion& question) {
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  const auto lower = DoubleOf(question.node.argument("lowerBound"));
  const auto upper = DoubleOf(question.node.argument("upperBound"));
  const PlanValue* seed = question.node.argument("seed");
  const PlanValue* with_replacement = question.node.argument("withReplacement");
  // Since Spark 4.2 a seed that the query does not say is drawn anew by each copy of the node.
  if (seed == nullptr || !seed->is(PlanValue::Kind::kInteger)) {
    return Refused("its seed is not part of the plan");
  }
  if (!lower || !upper || with_replacement == nullptr ||
      !with_replacement->is(PlanValue::Kind::kBoolean)) {
    return Refused("its bounds are not part of the plan");
  }
  if (with_replacement->boolean) {
    return Refused("it samples with replacement, by the random numbers of a Java library");
  }
  translation.native().arguments = {{"lower", *lower}, {"upper", *upper}, {"seed", seed->integer}};
  translation.native().arguments_text =
      fmt::format("{}, {}, false, {}", question.node.argument("lowerBound")->text,
                  question.node.argument("upperBound")->text, seed->integer);
  return translation.Take();
}

}  // namespace reprise
