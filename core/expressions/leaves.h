// Leaf expressions: a column of the input and a literal.
#pragma once

#include <memory>

#include "expressions/expression.h"

namespace reprise {

/// Column `index` of the input.
class ColumnReference : public Expression {
 public:
  ColumnReference(DataType type, int index) : Expression(std::move(type), false), index_(index) {}
  int index() const { return index_; }
  Result<Column> Evaluate(EvalInput& input) const override;
  Result<int64_t> Select(const Batch& batch, RowSet rows, arrow::MemoryPool* pool,
                         int32_t* out) const override;

 private:
  int index_;
};

/// Column `index` of an input in which values may be missing (base/value_errors.h): fails where it
/// is evaluated for a row without one.
class CheckedColumn final : public Expression {
 public:
  CheckedColumn(DataType type, int index) : Expression(std::move(type), true), index_(index) {}
  Result<Column> Evaluate(EvalInput& input) const override;

 private:
  int index_;
};

/// A constant, possibly null.
class Literal : public Expression {
 public:
  Literal(DataType type, std::shared_ptr<arrow::Scalar> value)
      : Expression(std::move(type), false), value_(std::move(value)) {}
  const std::shared_ptr<arrow::Scalar>& value() const { return value_; }
  Result<Column> Evaluate(EvalInput&) const override { return Column{nullptr, value_}; }

 private:
  std::shared_ptr<arrow::Scalar> value_;
};

/// The column or literal as such, without evaluating: what Select reads in place. Neither member is
/// set for another expression.
Column LeafOf(const Expression& expression, const Batch& batch);

}  // namespace reprise
