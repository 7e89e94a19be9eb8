// Purpose: tell which rows of a broadcast have a match among this task's rows.
// Input:   two, as a nested-loop join's.  Output: numbers of build rows, int.
// Example: {"joinType":"inner","buildSide":"right","condition":a < b} over a = [2, 5] and the
// broadcast b = [3, 9, 1] gives [0, 1].
//
// What all tasks give, unmatched_rows puts together. Every pair of rows may be tried, as in Spark's
// BroadcastNestedLoopJoinExec.getMatchedBroadcastRowsBitSet.
#include "operators/join/matched_rows.h"

#include "operators/join/join_operator.h"

namespace reprise {

Result<std::unique_ptr<Operator>> MakeMatchedRows(OperatorSpec spec,
                                                  std::vector<std::unique_ptr<Operator>> inputs,
                                                  const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(JoinSpec join, ReadMatchedRowsSpec(spec));
  return MakeJoin(std::move(spec), std::move(inputs), context, std::move(join));
}

}  // namespace reprise
