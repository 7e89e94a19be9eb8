// The first rows of an order.
#pragma once

#include "operators/operator.h"

namespace reprise {

/// Kind "take_ordered", arguments
/// {"ordering":[ORDER…],"limit":n,"offset":m,"project":[EXPR…]|null}: the first `limit` rows in the
/// order without the first `offset` of them, then the projection, bound to the input's columns;
/// without one, the output has the input's columns.
Result<std::unique_ptr<Operator>> MakeTakeOrdered(OperatorSpec spec,
                                                  std::vector<std::unique_ptr<Operator>> inputs,
                                                  const TaskContext& context);

}  // namespace reprise
