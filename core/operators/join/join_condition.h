// The condition of a join beside its keys, evaluated over pairs of rows.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "expressions/expression.h"
#include "expressions/row_error.h"
#include "operators/guest_trials.h"
#include "operators/guest_values.h"
#include "operators/join/join_spec.h"
#include "operators/join/row_pairs.h"

namespace reprise {

struct JoinBuild;

/// A condition over the left columns and then the right ones. Only the columns that it reads are
/// gathered. Of a guest's, which Spark evaluates, the native part chooses the pairs.
class JoinCondition {
 public:
  /// `spec` and `join` are what ReadJoinSpec has read: one with a condition. Errors are those of
  /// MakeExpression and GuestValues::Make.
  static Result<std::unique_ptr<JoinCondition>> Make(const OperatorSpec& spec, const JoinSpec& join,
                                                     const TaskContext& context);

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

  std::vector<Field> BindTo(std::span<const int> columns, const OperatorSpec& spec,
                            bool build_left);
  /// The numbers of the gathered pairs for which the condition is true; null: of all.
  Result<std::shared_ptr<arrow::Buffer>> Passing(Batch batch, arrow::MemoryPool* pool) const;
  Result<std::shared_ptr<arrow::Buffer>> PassingGuest(const Batch& batch,
                                                      arrow::MemoryPool* pool) const;
  /// Notes for which of the selected rows at `places` the guest says yes.
  Status AskGuest(const Batch& batch, const std::vector<int32_t>& places, arrow::MemoryPool* pool,
                  std::vector<uint8_t>* passes) const;
  Result<Batch> Gathered(const Batch& probe, const JoinBuild& build, const RowPairs& pairs,
                         int64_t begin, int64_t count, arrow::MemoryPool* pool) const;
  PairWidths WidthsOf(const Batch& probe, const JoinBuild& build) const;
  /// Calls `visit` with each stretch of the pairs that may be gathered at once, until it says no.
  Status InStretches(const Batch& probe, const JoinBuild& build, const RowPairs& pairs,
                     const BatchBounds& bounds,
                     const std::function<Result<bool>(int64_t begin, int64_t count)>& visit) const;

  std::vector<Source> sources_;  // of the columns that are gathered
  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<Predicate> predicate_;  // null: all pairs are the guest's
  std::unique_ptr<GuestValues> guest_;    // null: the predicate alone decides
  std::vector<int> guest_reads_;          // columns that are gathered
  std::unique_ptr<GuestTrials> trials_;   // of the guest; null: Spark is asked of all pairs
  bool can_fail_ = false;
};

}  // namespace reprise
