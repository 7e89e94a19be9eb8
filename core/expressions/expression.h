// Spark's expressions over Arrow arrays.
#pragma once

#include <arrow/array.h>
#include <arrow/scalar.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/batch.h"
#include "base/status.h"
#include "base/value_errors.h"
#include "plan/spec.h"

namespace reprise {

/// What an expression evaluates to: one value a row (`array`), or the same value for every row
/// (`scalar`). Exactly one is set. A utf8 array may be dictionary-encoded.
struct Column {
  std::shared_ptr<arrow::Array> array;
  std::shared_ptr<arrow::Scalar> scalar;

  bool is_scalar() const { return scalar != nullptr; }
};

/// The rows that an expression is evaluated over: some rows of a batch. Columns are gathered on
/// first use and kept, so that each is gathered once however many expressions refer to it.
class EvalInput {
 public:
  /// All selected rows of `batch`, which must outlive this object.
  EvalInput(const Batch& batch, arrow::MemoryPool* pool);
  /// Those rows of `parent` whose positions `rows` names (ascending); both must outlive this
  /// object. For the lazily evaluated sides of AND, OR, IF, CASE and COALESCE: only the rows named
  /// may raise an error. A row that is named more than once counts as so many: for what is
  /// evaluated for each element of its arrays.
  EvalInput(EvalInput& parent, std::span<const int32_t> rows);

  int64_t row_count() const { return row_count_; }
  arrow::MemoryPool* pool() const { return pool_; }
  Result<std::shared_ptr<arrow::Array>> column(int index);
  /// Binds the variable of a lambda to its values, one for each of these rows.
  void Bind(int variable, std::shared_ptr<arrow::Array> values);
  /// The values of a variable that is bound here or around these rows, else Status::Invalid.
  Result<std::shared_ptr<arrow::Array>> variable(int variable);
  /// The error of the first of these rows that has no value in column `index`
  /// (base/value_errors.h); OK where all have one.
  Status ErrorIn(int index);

  /// Has `rows` told of which rows an expression does not know Spark's value, in any order, one
  /// perhaps twice; what it gives for them counts for nothing.
  void TellDoubts(std::vector<int32_t>* rows) { doubts_ = rows; }
  /// Tells of such a row. Status::Invalid where nobody wants to know.
  Status Doubt(int64_t row);

 private:
  const ValueErrors& errors();

  const Batch* batch_ = nullptr;
  EvalInput* parent_ = nullptr;
  std::span<const int32_t> rows_;
  int64_t row_count_ = 0;
  arrow::MemoryPool* pool_ = nullptr;
  std::vector<std::shared_ptr<arrow::Array>> columns_;
  std::optional<ValueErrors> errors_;  // by place among these rows, once somebody has asked
  std::vector<int32_t>* doubts_ = nullptr;
  std::vector<std::pair<int, std::shared_ptr<arrow::Array>>> variables_;
};

/// Rows of a batch by their physical index: the `count` indices at `indices`, ascending, or 0 …
/// count-1 where `indices` is null.
struct RowSet {
  const int32_t* indices = nullptr;
  int64_t count = 0;
};

/// A bound expression, ready to run. Stateless while evaluating: one object serves one task.
class Expression {
 public:
  virtual ~Expression() = default;
  const DataType& type() const { return type_; }
  /// Whether some row's value can make Evaluate fail. Such an expression must not be evaluated for
  /// rows for which Spark would not evaluate it; all others may be, when that is faster.
  bool can_fail() const { return can_fail_; }

  /// Evaluates over `input.row_count()` rows. An array has exactly that many rows, starts at offset
  /// 0 where it was computed (a column reference may have an offset) and has the Arrow type of
  /// ToArrow(type()). Errors that Spark raises carry a SparkErrorDetail.
  virtual Result<Column> Evaluate(EvalInput& input) const = 0;

  /// Of a boolean expression: writes to `out` the indices, in order, of those of `rows` for which
  /// it is true, and returns how many. `out` has room for `rows.count` indices and may be
  /// `rows.indices` itself. Only `rows` may raise an error. The base class evaluates and reads the
  /// bits; comparisons do better.
  virtual Result<int64_t> Select(const Batch& batch, RowSet rows, arrow::MemoryPool* pool,
                                 int32_t* out) const;

 protected:
  Expression(DataType type, bool can_fail) : type_(std::move(type)), can_fail_(can_fail) {}

 private:
  DataType type_;
  bool can_fail_;
};

/// Makes an expression: looks the function up in the vocabulary and checks the
/// argument types. Unknown functions and types that the function does not take are
/// Status::NotImplemented naming them; a column index outside `input` or a type that differs from
/// the input's is Status::Invalid.
Result<std::unique_ptr<Expression>> MakeExpression(const ExpressionSpec& spec,
                                                   const std::vector<Field>& input);

/// Evaluates and turns a scalar into an array of `input.row_count()` rows.
Result<std::shared_ptr<arrow::Array>> EvaluateToArray(const Expression& expression,
                                                      EvalInput& input);

/// Which rows Spark evaluates a conjunct for that can fail.
enum class Conjunction {
  /// Those for which all before it are true; whether columns are null is asked just before the
  /// first conjunct that reads them (GeneratePredicateHelper of FilterExec).
  kOfFilter,
  /// Those for which none before it is false, null included (And, as in the condition of a join).
  kOfExpression,
};

/// Evaluates a boolean condition and returns the indices, into the *physical* rows of `batch`, of
/// the selected rows for which it is true (null counts as false). A conjunction is evaluated one
/// conjunct at a time, each only over the rows that the ones before left. Returns null when every
/// row of a batch without selection qualifies.
class Predicate {
 public:
  static Result<std::unique_ptr<Predicate>> Make(const ExpressionSpec& condition,
                                                 const std::vector<Field>& input,
                                                 Conjunction conjunction);
  Result<std::shared_ptr<arrow::Buffer>> Select(const Batch& batch, arrow::MemoryPool* pool) const;

 private:
  std::vector<std::unique_ptr<Expression>> conjuncts_;
};

}  // namespace reprise
