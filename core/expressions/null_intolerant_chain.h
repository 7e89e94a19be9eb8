// The base of functions that are null where any argument is null, of any number of arguments.
#pragma once

#include <memory>
#include <vector>

#include "expressions/expression.h"
#include "expressions/nulls.h"

namespace reprise {

/// Evaluates its arguments in order, each only for the rows where those before it are not null, as
/// Spark's TernaryExpression and QuaternaryExpression do, so that it raises no error elsewhere.
class NullIntolerantChain : public Expression {
 public:
  Result<Column> Evaluate(EvalInput& input) const override;

 protected:
  /// `can_fail`: the function itself; the arguments are asked here.
  NullIntolerantChain(DataType type, std::vector<std::unique_ptr<Expression>> arguments,
                      bool can_fail);

  /// The values of `row_count` rows; `nulls` says where an argument is null, and those rows must
  /// raise no error. No argument is a null scalar; all may be scalars.
  virtual Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                        const Nulls& nulls, int64_t row_count,
                                                        arrow::MemoryPool* pool) const = 0;

 private:
  std::vector<std::unique_ptr<Expression>> arguments_;
};

}  // namespace reprise
