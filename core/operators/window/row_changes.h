// Where the rows of a sorted input differ from those before them.
#pragma once

#include <memory>
#include <vector>

#include "expressions/expression.h"

namespace reprise {

/// Compares each row with the one before it, by some keys, as Spark does: null equals null, NaN
/// equals NaN, -0.0 equals 0.0.
class RowChanges {
 public:
  static Result<RowChanges> Make(const std::vector<ExpressionSpec>& keys,
                                 const std::vector<Field>& input);

  /// The keys of some rows, of which there are some.
  Result<arrow::ArrayVector> Evaluate(EvalInput& input) const;

  /// Sets changed[i] where a key of row i differs from the row before, and leaves the others. The
  /// row before the first is the last of the call before; the first row of all differs.
  Status Mark(const arrow::ArrayVector& keys, int64_t row_count, arrow::MemoryPool* pool,
              uint8_t* changed);

 private:
  std::vector<std::unique_ptr<Expression>> keys_;
  arrow::ArrayVector last_;  // of the last row; before the first call empty
  bool is_begun_ = false;
};

}  // namespace reprise
