// GuestTrials: the values of guests of which the core is sure without Spark.
#pragma once

#include <arrow/array.h>

#include <memory>
#include <vector>

#include "expressions/expression.h"

namespace reprise {

/// Computes guests natively, and says for which rows it does not know what Spark would give:
/// characters of which Java's tables have to be asked, a pattern's match that Java may see
/// otherwise, an error that Spark words.
class GuestTrials {
 public:
  /// `trials`: of each guest the expression over `input`; `made`: the columns that they give.
  /// Status::Invalid where their types differ.
  static Result<std::unique_ptr<GuestTrials>> Make(const std::vector<ExpressionSpec>& trials,
                                                   const std::vector<Field>& input,
                                                   std::span<const Field> made);

  struct Values {
    std::vector<std::shared_ptr<arrow::Array>> columns;  ///< of all rows
    std::vector<int32_t> doubted;  ///< ascending, places among the rows: no value there counts
  };
  /// The guests of the batch's selected rows.
  Result<Values> Try(const Batch& rows, arrow::MemoryPool* pool);

  /// Whether so many rows were sure till now that the next are worth trying.
  bool pays() const { return tried_ < kRowsToJudgeBy || doubted_ <= tried_ / 2; }

 private:
  static constexpr int64_t kRowsToJudgeBy = 4096;

  explicit GuestTrials(std::vector<std::unique_ptr<Expression>> trials)
      : trials_(std::move(trials)) {}

  const std::vector<std::unique_ptr<Expression>> trials_;
  int64_t tried_ = 0;
  int64_t doubted_ = 0;
};

}  // namespace reprise
