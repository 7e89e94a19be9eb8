#include "operators/aggregate/aggregate_inputs.h"

#include <algorithm>

namespace reprise {

Result<size_t> AggregateInputs::AddFilter(const std::optional<ExpressionSpec>& filter) {
  const std::string text = filter.has_value() ? TextWithoutContext(*filter) : "";
  const auto found = std::ranges::find(filters_, text, &Filter::text);
  steps_.push_back({static_cast<size_t>(found - filters_.begin()), std::nullopt});
  if (found != filters_.end()) return steps_.back().filter;
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
  const std::string text = TextWithoutContext(expression);
  auto found = std::ranges::find(expressions, text, &Evaluated::text);
  if (found == expressions.end()) {
    Evaluated added;
    added.text = text;
    ARROW_ASSIGN_OR_RAISE(added.expression, MakeExpression(expression, input_));
    expressions.push_back(std::move(added));
    found = expressions.end() - 1;
  }
  found->as_array |= as_array;
  const auto number = static_cast<size_t>(found - expressions.begin());
  steps_.push_back({filter, number});
  return Argument{filter, number};
}

Status AggregateInputs::Evaluate(EvalInput& input, const int32_t* groups) {
  RETURN_NOT_OK(EvaluateCommons(commons_, input, /*all=*/false));
  for (Filter& filter : filters_) {
    if (filter.condition != nullptr) {
      RETURN_NOT_OK(ApplyFilter(input, groups, &filter));
      EvalInput passing(input, filter.passing);
      RETURN_NOT_OK(EvaluateAll(passing, &filter));
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
  return Status::OK();
}

Status AggregateInputs::EvaluateFor(EvalInput& input, const int32_t* groups, size_t filter,
                                    std::span<const Argument> arguments) {
  Filter& named = filters_[filter];
  std::optional<EvalInput> passing;
  if (named.condition == nullptr) {
    named.rows = {groups, input.row_count()};
  } else {
    RETURN_NOT_OK(ApplyFilter(input, groups, &named));
    passing.emplace(input, named.passing);
  }
  for (const Argument& argument : arguments) {
    RETURN_NOT_OK(EvaluateOne(passing ? *passing : input, &named.expressions[argument.expression]));
  }
  return Status::OK();
}

Status AggregateInputs::EvaluateInOrder(EvalInput& input) {
  RETURN_NOT_OK(EvaluateCommons(commons_, input, /*all=*/true));
  for (const Step& step : steps_) {
    Filter& filter = filters_[step.filter];
    if (!step.expression) {
      if (filter.condition != nullptr) RETURN_NOT_OK(ApplyFilter(input, nullptr, &filter));
      continue;
    }
    const Expression& expression = *filter.expressions[*step.expression].expression;
    if (filter.condition == nullptr) {
      RETURN_NOT_OK(expression.Evaluate(input));
    } else {
      EvalInput passing(input, filter.passing);
      RETURN_NOT_OK(expression.Evaluate(passing));
    }
  }
  return Status::OK();
}

Status AggregateInputs::EvaluateOne(EvalInput& input, Evaluated* evaluated) {
  if (evaluated->as_array) {
    ARROW_ASSIGN_OR_RAISE(auto array, EvaluateToArray(*evaluated->expression, input));
    evaluated->value = Column{std::move(array), nullptr};
  } else {
    ARROW_ASSIGN_OR_RAISE(evaluated->value, evaluated->expression->Evaluate(input));
  }
  return Status::OK();
}

Status AggregateInputs::EvaluateAll(EvalInput& input, Filter* filter) {
  for (Evaluated& evaluated : filter->expressions) RETURN_NOT_OK(EvaluateOne(input, &evaluated));
  return Status::OK();
}

}  // namespace reprise
