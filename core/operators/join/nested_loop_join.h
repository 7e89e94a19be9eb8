// Nested-loop join: pairs every row of one input with every row of the other.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Makes a nested-loop join (Spark's BroadcastNestedLoopJoinExec). `arguments`: as MakeHashJoin,
/// but without keys:
/// {"joinType":…,"buildSide":…,"ordered":bool,"deferred":bool,"condition":EXPR|null}. Without a
/// condition all pairs match. Pairs are made and weighed a batch at a time, so memory does not grow
/// with their number.
Result<std::unique_ptr<Operator>> MakeNestedLoopJoin(OperatorSpec spec,
                                                     std::vector<std::unique_ptr<Operator>> inputs,
                                                     const TaskContext& context);

}  // namespace reprise
