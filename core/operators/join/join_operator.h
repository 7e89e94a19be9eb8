// The operator behind hash_join and nested_loop_join.
#pragma once

#include <memory>
#include <vector>

#include "operators/join/join_spec.h"
#include "operators/operator.h"

namespace reprise {

/// Makes the operator of a join that ReadJoinSpec has read from `spec`. Where the build side is a
/// leaf that reads a broadcast, its build is shared by the tasks of the process (shared_builds.h),
/// unless the operator is being captured; a join that keeps unmatched build rows must not be given
/// such an input (Status::Invalid), because no task sees all matches.
Result<std::unique_ptr<Operator>> MakeJoin(OperatorSpec spec,
                                           std::vector<std::unique_ptr<Operator>> inputs,
                                           const TaskContext& context, JoinSpec join);

}  // namespace reprise
