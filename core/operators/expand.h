// Several projections of each row.
#pragma once

#include "operators/operator.h"

namespace reprise {

/// Kind "expand", arguments {"projections":[[EXPR…]…],"ordered":bool}: each projection has one
/// expression an output column, bound to the input's columns. "ordered", false where it is absent:
/// all projections of a row come before those of the next, as Spark's do; else some rows' first
/// projections, then the second ones.
Result<std::unique_ptr<Operator>> MakeExpand(OperatorSpec spec,
                                             std::vector<std::unique_ptr<Operator>> inputs,
                                             const TaskContext& context);

}  // namespace reprise
