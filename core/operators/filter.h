// Filter: keeps the rows for which a condition is true.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Makes a filter (Spark's FilterExec). `arguments`: {"condition":EXPR}, a boolean bound to the one
/// input. The output has the input's columns; only their nullability may differ. Errors:
/// Status::Invalid naming the member.
Result<std::unique_ptr<Operator>> MakeFilter(OperatorSpec spec,
                                             std::vector<std::unique_ptr<Operator>> inputs,
                                             const TaskContext& context);

}  // namespace reprise
