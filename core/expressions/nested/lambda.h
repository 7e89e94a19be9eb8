// Functions of the elements of arrays and maps: what higher-order functions call.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expressions/functions.h"
#include "expressions/nested/flat_lists.h"

namespace reprise {

/// The argument of a call that is a lambda: what it computes, and its variables.
class Lambda {
 public:
  /// Takes argument `index` out of the call. Status::Invalid where it is no lambda of one
  /// variable up to so many.
  static Result<Lambda> TakenFrom(FunctionCall* call, size_t index, size_t variables_at_most);

  const DataType& type() const { return body_->type(); }
  bool can_fail() const { return body_->can_fail(); }
  size_t variable_count() const { return variables_.size(); }
  const DataType& variable_type(size_t variable) const { return variables_[variable].type; }

  /// Its values where variable i has the values i, a row each; `values` may have more columns than
  /// there are variables.
  Result<std::shared_ptr<arrow::Array>> Evaluate(EvalInput& rows,
                                                 const arrow::ArrayVector& values) const;

  /// Its values for all elements of lists, one a row of `input`: `values` are what stands in the
  /// lists, element by element. Of several elements of a row that fail the first one's error.
  Result<std::shared_ptr<arrow::Array>> EvaluateEach(EvalInput& input, const FlatLists& lists,
                                                     const arrow::ArrayVector& values) const;

  /// Its values for the element at one place of each of some rows' lists.
  Result<std::shared_ptr<arrow::Array>> EvaluateAt(EvalInput& input, const FlatLists& lists,
                                                   std::span<const int32_t> rows, int64_t place,
                                                   const arrow::ArrayVector& values) const;

 private:
  struct Variable {
    int number;  // by which it is found
    DataType type;
  };

  Lambda(std::unique_ptr<Expression> body, std::vector<Variable> variables)
      : body_(std::move(body)), variables_(std::move(variables)) {}

  std::unique_ptr<Expression> body_;
  std::vector<Variable> variables_;
};

}  // namespace reprise
