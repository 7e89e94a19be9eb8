#include "operators/window/window_plan.h"

namespace reprise {

namespace {

/// Equal expressions are evaluated once.
class DistinctValues {
 public:
  DistinctValues(const std::vector<Field>& input, std::vector<std::unique_ptr<Expression>>* values)
      : input_(input), values_(values) {}

  Result<size_t> Add(const ExpressionSpec& spec) {
    std::string text = ToJson(spec).dump();
    for (size_t i = 0; i < texts_.size(); ++i) {
      if (texts_[i] == text) return i;
    }
    ARROW_ASSIGN_OR_RAISE(auto expression, MakeExpression(spec, input_));
    values_->push_back(std::move(expression));
    texts_.push_back(std::move(text));
    return texts_.size() - 1;
  }

 private:
  const std::vector<Field>& input_;
  std::vector<std::unique_ptr<Expression>>* values_;
  std::vector<std::string> texts_;
};

bool HasValueBound(const WindowFrame& frame) { return frame.lower.value || frame.upper.value; }

}  // namespace

Result<WindowPlan> WindowPlan::Make(const WindowSpec& spec, const std::vector<Field>& input,
                                    arrow::MemoryPool* pool) {
  WindowPlan plan;
  ARROW_ASSIGN_OR_RAISE(plan.keys, WindowKeys::Make(spec, input));
  DistinctValues values(input, &plan.values);
  for (const WindowFunctionSpec& function : spec.functions) {
    ARROW_ASSIGN_OR_RAISE(auto run, MakeWindowFunction(function, spec, pool));
    plan.is_running = plan.is_running && run->is_running();
    plan.functions.push_back(std::move(run));
    std::vector<size_t>& of_function = plan.values_of.emplace_back();
    for (const ExpressionSpec& one : function.inputs) {
      ARROW_ASSIGN_OR_RAISE(of_function.emplace_back(), values.Add(one));
    }
    if (function.fallback) {
      ARROW_ASSIGN_OR_RAISE(of_function.emplace_back(), values.Add(*function.fallback));
    }
    if (!HasValueBound(function.frame)) continue;
    ARROW_ASSIGN_OR_RAISE(plan.order_key, values.Add(spec.ordering[0].expression));
  }
  return plan;
}

Result<WindowColumns> WindowPlan::Evaluate(EvalInput& input) const {
  WindowColumns columns;
  ARROW_ASSIGN_OR_RAISE(columns.keys, keys.Evaluate(input));
  for (const auto& value : values) {
    ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*value, input));
    columns.values.push_back(std::move(column));
  }
  return columns;
}

}  // namespace reprise
