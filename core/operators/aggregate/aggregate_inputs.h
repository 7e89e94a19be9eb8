// AggregateInputs: the arguments of all aggregates of an operator, each evaluated once a batch.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expressions/common_subexpressions.h"
#include "operators/aggregate/accumulator.h"

namespace reprise {

/// Aggregates often share arguments (sum(x), avg(x)) and FILTER clauses: equal ones are evaluated
/// once. Arguments of an aggregate with a filter are evaluated only over the rows that pass it, so
/// that others cannot raise an error.
class AggregateInputs {
 public:
  /// Names an argument: which filter, and which expression over the rows that pass it.
  struct Argument {
    size_t filter = 0;
    size_t expression = 0;
  };

  explicit AggregateInputs(std::vector<Field> input) : input_(std::move(input)) {}

  /// Takes up a filter (absent: all rows) and gives its number.
  Result<size_t> AddFilter(const std::optional<ExpressionSpec>& filter);

  /// Takes up an argument; `as_array`: a scalar is spread out to an array.
  Result<Argument> AddArgument(size_t filter, const ExpressionSpec& expression, bool as_array);

  /// What Spark evaluates over all rows before the rest, filters too (common_subexpressions.h).
  void SetCommons(std::vector<CommonSubexpression> commons) { commons_ = std::move(commons); }

  /// Evaluates everything over `input`, whose row i belongs to groups[i] (null: there are no keys).
  /// The values below are those of this batch until the next call; `input` and `groups` must live
  /// as long.
  Status Evaluate(EvalInput& input, const int32_t* groups);

  /// The same for one aggregate alone: its filter, and its arguments.
  Status EvaluateFor(EvalInput& input, const int32_t* groups, size_t filter,
                     std::span<const Argument> arguments);

  /// What SetCommons was given.
  const std::vector<CommonSubexpression>& commons() const { return commons_; }

  /// Evaluates over `input` what Evaluate does, in the order in which Spark comes to it, one
  /// aggregate after the other, and forgets it: of one row, the error that Spark meets.
  Status EvaluateInOrder(EvalInput& input);

  GroupRows rows(size_t filter) const { return filters_[filter].rows; }
  const Column& column(Argument argument) const {
    return filters_[argument.filter].expressions[argument.expression].value;
  }

 private:
  struct Evaluated {
    std::string text;  // the spec as JSON: equal text, equal value
    std::unique_ptr<Expression> expression;
    bool as_array = false;
    Column value;
  };
  struct Filter {
    std::string text;
    std::unique_ptr<Expression> condition;  // null: all rows
    std::vector<Evaluated> expressions;
    GroupRows rows;
    std::vector<int32_t> passing;         // positions of the rows that pass
    std::vector<int32_t> passing_groups;  // and their groups
  };

  static Status ApplyFilter(EvalInput& input, const int32_t* groups, Filter* filter);
  static Status EvaluateOne(EvalInput& input, Evaluated* evaluated);
  static Status EvaluateAll(EvalInput& input, Filter* filter);

  // The filter of an aggregate, or one of its arguments, as they were added.
  struct Step {
    size_t filter;
    std::optional<size_t> expression;
  };

  std::vector<Field> input_;
  std::vector<Step> steps_;
  std::vector<Filter> filters_;
  std::vector<CommonSubexpression> commons_;
};

}  // namespace reprise
