// Operators whose partitions Spark puts together.
#pragma once

#include "operators/operator.h"

namespace reprise {

/// Kinds "union" and "coalesce", without arguments: one input, a leaf of kind batch_input that
/// gives the batches of several fragments; the output has columns of the same types, of which more
/// may be nullable.
Result<std::unique_ptr<Operator>> MakeUnion(OperatorSpec spec,
                                            std::vector<std::unique_ptr<Operator>> inputs,
                                            const TaskContext& context);

}  // namespace reprise
