// The first rows of each partition by rank.
#pragma once

#include "operators/operator.h"

namespace reprise {

/// Kind "window_group_limit" (Spark's WindowGroupLimitExec): what a filter on a rank above needs at
/// most. One input, sorted by `partition` and `ordering`; the output has its columns. `arguments`:
///   {"partition":[EXPR…],"ordering":[{"expression":EXPR,"ascending":bool,"nullsFirst":bool}…],
///    "function":"row_number"|"rank"|"dense_rank","limit":n}
Result<std::unique_ptr<Operator>> MakeWindowGroupLimit(
    OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs, const TaskContext& context);

}  // namespace reprise
