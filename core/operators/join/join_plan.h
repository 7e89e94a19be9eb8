// What a join does, made from its spec and ready to run.
#pragma once

#include <memory>
#include <vector>

#include "operators/join/join_condition.h"
#include "operators/join/join_spec.h"
#include "operators/join/join_table.h"

namespace reprise {

/// A join with its expressions made. Does not change while the join runs.
struct JoinPlan {
  using Keys = std::vector<std::unique_ptr<Expression>>;

  /// `join` is what ReadJoinSpec has read from `spec`. Errors are those of MakeExpression and
  /// GuestValues::Make.
  static Result<JoinPlan> Make(const OperatorSpec& spec, JoinSpec join, const TaskContext& context);

  std::vector<DataType> key_types() const;
  ChainOrder chain_order() const {
    return join.latest_first ? ChainOrder::kLatestFirst : ChainOrder::kEarliestFirst;
  }
  /// A row of the probe side without a match leaves.
  bool shows_unmatched_probe() const {
    return join.keeps_probe() || join.type == JoinType::kAnti || join.type == JoinType::kExistence;
  }

  size_t dropped(int input) const { return join.dropped[static_cast<size_t>(input)]; }

  JoinSpec join;
  std::vector<Field> build_fields;
  std::vector<Field> probe_fields;
  std::vector<Field> output_fields;
  Keys build_keys;  ///< over the build side's columns
  Keys probe_keys;
  std::unique_ptr<JoinCondition> condition;  ///< null: none
  std::vector<int> probe_reads;  ///< of each column of the probe side, by keys and condition
};

/// The keys of the selected rows of `batch`. An error is that of the first row that has one.
Result<arrow::ArrayVector> EvaluateKeys(const JoinPlan::Keys& keys, const Batch& batch,
                                        arrow::MemoryPool* pool);

}  // namespace reprise
