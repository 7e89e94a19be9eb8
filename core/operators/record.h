// record: lets batches pass, so that a capture sees them.
#pragma once

#include "operators/operator.h"

namespace reprise {

/// An operator of one input whose output is that input.
Result<std::unique_ptr<Operator>> MakeRecord(OperatorSpec spec,
                                             std::vector<std::unique_ptr<Operator>> inputs,
                                             const TaskContext& context);

}  // namespace reprise
