// Project: computes columns from columns.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Makes a projection (Spark's ProjectExec). `arguments`: {"expressions":[EXPR…]}, one an output
/// column, bound to the one input. Errors: Status::Invalid naming the member.
Result<std::unique_ptr<Operator>> MakeProject(OperatorSpec spec,
                                              std::vector<std::unique_ptr<Operator>> inputs,
                                              const TaskContext& context);

}  // namespace reprise
