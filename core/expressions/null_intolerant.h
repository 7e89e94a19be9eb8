// The base of functions that are null where any argument is null.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "expressions/divisor_first.h"
#include "expressions/expression.h"
#include "expressions/nulls.h"

namespace reprise {

/// A function of one or two arguments whose result is null where an argument is (Spark's
/// NullIntolerant). Evaluates the arguments as Spark does: the second is not evaluated for rows
/// where the first is null, so that it raises no error there. Constants are computed once.
class NullIntolerant : public Expression {
 public:
  Result<Column> Evaluate(EvalInput& input) const override;

 protected:
  /// `can_fail`: the function itself; the arguments are asked here.
  NullIntolerant(DataType type, std::vector<std::unique_ptr<Expression>> arguments, bool can_fail,
                 std::optional<DivisorFirst> divisor_first = {});

  /// The values of `row_count` rows; `nulls` says where an argument is null, and those rows must
  /// raise no error. No argument is a null scalar; all may be scalars.
  virtual Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                        const Nulls& nulls, int64_t row_count,
                                                        arrow::MemoryPool* pool) const = 0;

  const Expression& argument(int index) const { return *arguments_[index]; }
  const std::shared_ptr<arrow::DataType>& arrow_type() const { return arrow_type_; }

  /// An array of the result's type with a buffer of values of a fixed width.
  std::shared_ptr<arrow::Array> ToArray(std::shared_ptr<arrow::Buffer> values, const Nulls& nulls,
                                        int64_t row_count) const;

 private:
  Result<std::vector<Column>> EvaluateArguments(EvalInput& input) const;

  std::vector<std::unique_ptr<Expression>> arguments_;
  std::optional<DivisorFirst> divisor_first_;
  std::shared_ptr<arrow::DataType> arrow_type_;
};

/// Whether one of them can fail.
bool AnyCanFail(const std::vector<std::unique_ptr<Expression>>& expressions);

/// A null scalar of that type.
Column NullColumn(const DataType& type);

/// Row 0 of an array as a scalar.
Result<Column> ToScalar(const arrow::Array& array);

}  // namespace reprise
