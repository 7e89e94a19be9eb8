// The base of functions that call a lambda for the elements of an array.
#pragma once

#include <memory>
#include <utility>

#include "expressions/nested/lambda.h"

namespace reprise {

/// Null where the array is, else what `Of` makes of it.
class ElementFunction : public Expression {
 public:
  ElementFunction(DataType type, std::unique_ptr<Expression> array, Lambda lambda)
      : Expression(std::move(type), array->can_fail() || lambda.can_fail()),
        array_(std::move(array)),
        lambda_(std::move(lambda)) {}

  Result<Column> Evaluate(EvalInput& input) const final;

 protected:
  /// `variables`: the elements, and their places where the lambda asks for them.
  virtual Result<std::shared_ptr<arrow::Array>> Of(EvalInput& input, const FlatArrays& arrays,
                                                   const arrow::ArrayVector& variables) const = 0;

  const Lambda& lambda() const { return lambda_; }

  /// The elements, and the variables that go with them.
  Result<FlatArrays> Arrays(EvalInput& input, arrow::ArrayVector* variables) const;

 private:
  const std::unique_ptr<Expression> array_;
  const Lambda lambda_;
};

/// The lambda that is the second argument of a function of arrays; its first variable is the
/// element. Status::Invalid where it is of elements of another type.
Result<Lambda> LambdaOfElements(FunctionCall* call, size_t variables_at_most);

}  // namespace reprise
