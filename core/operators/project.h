// Project: computes columns from columns.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Makes a projection (Spark's ProjectExec). `arguments`:
///   {"expressions":[EXPR…],  one an output column, bound to the one input
///    "commons":bool?,        what they have in common is evaluated first
///                            (expressions/common_subexpressions.h); absent: true
///    "deferred":bool?}       a value that cannot be computed fails where it is used
///                            (base/value_errors.h); absent: true
/// Errors: Status::Invalid naming the member.
Result<std::unique_ptr<Operator>> MakeProject(OperatorSpec spec,
                                              std::vector<std::unique_ptr<Operator>> inputs,
                                              const TaskContext& context);

}  // namespace reprise
