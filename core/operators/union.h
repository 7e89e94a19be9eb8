// Operators that pass batches on: for partitions that Spark puts together, and for captures.
#pragma once

#include "operators/operator.h"

namespace reprise {

/// Kinds "union" and "coalesce", without arguments: one input, a leaf of kind batch_input that
/// gives the batches of several fragments; the output has columns of the same types, of which more
/// may be nullable. Kind "record", without arguments: any input, whose batches the base class shows
/// to the capture of an operator that Spark runs, before Spark gets them as rows.
Result<std::unique_ptr<Operator>> MakeUnion(OperatorSpec spec,
                                            std::vector<std::unique_ptr<Operator>> inputs,
                                            const TaskContext& context);

}  // namespace reprise
