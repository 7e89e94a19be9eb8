// Purpose: join two inputs by keys.
// Input:   two, any columns.  Output: see the header.
// Example: {"joinType":"inner","leftKeys":[a],"rightKeys":[b],…} over a = [1, 2, 2], (b, c) = (2,
// "x"), (3, "y") gives (2, 2, "x"), (2, 2, "x").
#include "operators/join/hash_join.h"

#include "operators/join/join_operator.h"

namespace reprise {

Result<std::unique_ptr<Operator>> MakeHashJoin(OperatorSpec spec,
                                               std::vector<std::unique_ptr<Operator>> inputs,
                                               const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(JoinSpec join, ReadJoinSpec(spec, /*keyed=*/true));
  return MakeJoin(std::move(spec), std::move(inputs), context, std::move(join));
}

}  // namespace reprise
