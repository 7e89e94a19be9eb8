// The condition of a join beside its keys, evaluated over pairs of rows.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "expressions/expression.h"
#include "expressions/row_error.h"
#include "operators/join/join_spec.h"
#include "operators/join/row_pairs.h"

namespace reprise {

struct JoinBuild;

/// A condition over the left columns and then the right ones. Only the columns that it reads are
/// gathered.
class JoinCondition {
 public:
  static Result<std::unique_ptr<JoinCondition>> Make(const ExpressionSpec& condition,
                                                     const std::vector<Field>& left,
                                                     const std::vector<Field>& right,
                                                     bool build_left);

  /// Some pair may make the evaluation fail, so that only pairs may be evaluated that Spark
  /// evaluates.
  bool can_fail() const { return can_fail_; }

  /// The numbers, ascending, of the pairs for which the condition is true; those without a build
  /// row are not evaluated. int32 in a buffer. No more values are gathered at once than are within
  /// `bounds`.
  Result<std::shared_ptr<arrow::Buffer>> Select(const Batch& probe, const JoinBuild& build,
                                                const RowPairs& pairs, const BatchBounds& bounds,
                                                arrow::MemoryPool* pool) const;

  /// Select has failed with `error`: the number of the first pair that fails, and its error.
  RowError FindError(const Batch& probe, const JoinBuild& build, const RowPairs& pairs,
                     const Status& error, const BatchBounds& bounds, arrow::MemoryPool* pool) const;

 private:
  struct Source {
    bool is_build;
    int index;
  };

  Result<Batch> Gathered(const Batch& probe, const JoinBuild& build, const RowPairs& pairs,
                         int64_t begin, int64_t count, arrow::MemoryPool* pool) const;
  PairWidths WidthsOf(const Batch& probe, const JoinBuild& build) const;
  /// Calls `visit` with each stretch of the pairs that may be gathered at once, until it says no.
  Status InStretches(const Batch& probe, const JoinBuild& build, const RowPairs& pairs,
                     const BatchBounds& bounds,
                     const std::function<Result<bool>(int64_t begin, int64_t count)>& visit) const;

  std::vector<Source> sources_;  // of the columns that the predicate is bound to
  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<Predicate> predicate_;
  bool can_fail_ = false;
};

}  // namespace reprise
