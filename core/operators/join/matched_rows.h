// The first half of a join without keys that keeps rows of its broadcast side: which have a match.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Makes the operator. Inputs and `arguments` are MakeNestedLoopJoin's with the join type "inner";
/// the output is one column of type int: the numbers, ascending, of the rows of the build side for
/// which the condition is true with some row of the probe side. The build side must be a broadcast:
/// its rows have the same numbers in every task. Errors: Status::Invalid naming the member.
Result<std::unique_ptr<Operator>> MakeMatchedRows(OperatorSpec spec,
                                                  std::vector<std::unique_ptr<Operator>> inputs,
                                                  const TaskContext& context);

}  // namespace reprise
