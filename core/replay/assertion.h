// A predicate that every row of a replay's output must satisfy.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/batch.h"
#include "expressions/expression.h"

namespace reprise {

/// A row for which the predicate is false.
struct FailingRow {
  int64_t row = 0;  ///< from 0, in the order of the partition's output
  std::vector<std::pair<std::string, std::string>>
      values;  ///< of each column: name, as Arrow prints
};

/// What became of an assertion over one partition.
struct AssertionOutcome {
  int64_t rows = 0;                ///< rows that were looked at
  int64_t failing = 0;             ///< rows for which the predicate is false
  std::vector<FailingRow> sample;  ///< the first of these, at most kSampleRows
  std::string error;  ///< what the predicate raised, as a division by zero; empty: nothing

  static constexpr size_t kSampleRows = 5;
  bool holds() const { return failing == 0 && error.empty(); }
};

/// Checks batches, as an SQL CHECK constraint does: a row fails where the predicate is false; a row
/// for which it is null does not, so that "IS NOT NULL" has to be asked for.
class Assertion {
 public:
  /// `sql` as ParseSqlPredicate takes it, over the columns of `output`. Status::Invalid says which
  /// character of it cannot be read.
  static Result<std::unique_ptr<Assertion>> Make(const std::string& sql,
                                                 const std::vector<Field>& output);

  /// Adds the selected rows of `batch` to `outcome`. An error of the predicate itself is kept in
  /// the outcome and ends the checking.
  Status Check(const Batch& batch, arrow::MemoryPool* pool, AssertionOutcome* outcome) const;

 private:
  Assertion(std::vector<Field> output, std::unique_ptr<Expression> predicate)
      : output_(std::move(output)), predicate_(std::move(predicate)) {}
  Result<FailingRow> Sample(EvalInput& input, int64_t position, int64_t row) const;

  std::vector<Field> output_;
  std::unique_ptr<Expression> predicate_;
};

}  // namespace reprise
