// Purpose: join two inputs without keys: all pairs of rows, or those for which a condition is true.
// Input:   two, any columns.  Output: as a hash join's.
// Example: {"joinType":"inner","buildSide":"right","condition":a < b} over a = [1, 2, 3], b = [2,
// 3] gives (1, 2), (1, 3), (2, 3).
//
// It is a hash join whose table has one chain with all rows.
#include "operators/join/nested_loop_join.h"

#include "operators/join/join_operator.h"

namespace reprise {

Result<std::unique_ptr<Operator>> MakeNestedLoopJoin(OperatorSpec spec,
                                                     std::vector<std::unique_ptr<Operator>> inputs,
                                                     const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(JoinSpec join, ReadJoinSpec(spec, /*keyed=*/false));
  return MakeJoin(std::move(spec), std::move(inputs), context, std::move(join));
}

}  // namespace reprise
