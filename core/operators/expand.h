// Several projections of each row.
#pragma once

#include "operators/operator.h"

namespace reprise {

/// Kind "expand", arguments {"projections":[[EXPR…]…]}: each has one expression an output column,
/// bound to the input's columns.
Result<std::unique_ptr<Operator>> MakeExpand(OperatorSpec spec,
                                             std::vector<std::unique_ptr<Operator>> inputs,
                                             const TaskContext& context);

}  // namespace reprise
