#include "operators/aggregate_inputs.h"

#include <algorithm>

namespace reprise {

Result<size_t> AggregateInputs::AddFilter(const std::optional<ExpressionSpec>& filter) {
  const std::string text = filter.has_value() ? ToJson(*filter).dump() : "";
  const auto found = std::ranges::find(filters_, text, &Filter::text);
  if (found != filters_.end()) return static_cast<size_t>(found - filters_.begin());
  Filter added;
  added.text = text;
  if (filter.has_value()) {
    ARROW_ASSIGN_OR_RAISE(added.condition, MakeExpression(*filter, input_));
  }
  filters_.push_back(std::move(added));
  return filters_.size() - 1;
}

Result<AggregateInputs::Argument> AggregateInputs::AddArgument(size_t filter,
                                                               const ExpressionSpec& expression,
                                                               bool as_array) {
  std::vector<Evaluated>& expressions = filters_[filter].expressions;
  const std::string text = ToJson(expression).dump();
  auto found = std::ranges::find(expressions, text, &Evaluated::text);
  if (found == expressions.end()) {
    Evaluated added;
    added.text = text;
    ARROW_ASSIGN_OR_RAISE(added.expression, MakeExpression(expression, input_));
    expressions.push_back(std::move(added));
    found = expressions.end() - 1;
  }
  found->as_array |= as_array;
  return Argument{filter, static_cast<size_t>(found - expressions.begin())};
}

Status AggregateInputs::Evaluate(EvalInput& input, const int32_t* groups) {
  for (Filter& filter : filters_) {
    if (filter.condition != nullptr) {
      RETURN_NOT_OK(ApplyFilter(input, groups, &filter));
    } else {
      filter.rows = {groups, input.row_count()};
      RETURN_NOT_OK(EvaluateAll(input, &filter));
    }
  }
  return Status::OK();
}

Status AggregateInputs::ApplyFilter(EvalInput& input, const int32_t* groups, Filter* filter) {
  ARROW_ASSIGN_OR_RAISE(auto passes, EvaluateToArray(*filter->condition, input));
  const FixedValues<bool> values(*passes);
  const Validity valid(*passes);
  filter->passing.clear();
  filter->passing_groups.clear();
  for (int64_t row = 0; row < input.row_count(); ++row) {
    if (!valid[row] || !values[row]) continue;
    filter->passing.push_back(static_cast<int32_t>(row));
    if (groups != nullptr) filter->passing_groups.push_back(groups[row]);
  }
  filter->rows = {groups == nullptr ? nullptr : filter->passing_groups.data(),
                  static_cast<int64_t>(filter->passing.size())};
  EvalInput passing(input, filter->passing);
  return EvaluateAll(passing, filter);
}

Status AggregateInputs::EvaluateAll(EvalInput& input, Filter* filter) {
  for (Evaluated& evaluated : filter->expressions) {
    if (evaluated.as_array) {
      ARROW_ASSIGN_OR_RAISE(auto array, EvaluateToArray(*evaluated.expression, input));
      evaluated.value = Column{std::move(array), nullptr};
    } else {
      ARROW_ASSIGN_OR_RAISE(evaluated.value, evaluated.expression->Evaluate(input));
    }
  }
  return Status::OK();
}

}  // namespace reprise
