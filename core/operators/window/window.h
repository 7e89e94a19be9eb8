// Window functions.
#pragma once

#include "operators/operator.h"

namespace reprise {

/// Kind "window" (Spark's WindowExec). One input, sorted by `partition` and `ordering`; the output
/// has its columns, and then one for each function. `arguments`:
///   {"partition":[EXPR…],
///    "ordering":[{"expression":EXPR,"ascending":bool,"nullsFirst":bool}…],
///    "functions":[FUNCTION…]}
/// with FUNCTION one of
///   {"function":"row_number"|"rank"|"dense_rank"|"percent_rank"|"cume_dist","result":TYPE}
///   {"function":"ntile","number":buckets,"result":TYPE}
///   {"function":"offset","number":n,"inputs":[EXPR],"default":EXPR?,"skipsNulls":bool,
///    "result":TYPE}                        lead; lag where n is below 0
///   {"function":"nth_value","number":n,"inputs":[EXPR],"skipsNulls":bool,"result":TYPE,
///    "frame":FRAME}
///   {"function":"frame_begin"|"frame_end","result":TYPE,"frame":FRAME}
///                                         the number, within its partition, of the first row of a
///                                         row's frame, or of the one behind its last
///   one of "aggregates" of a hash aggregate (hash_aggregate.h), of mode complete, without a
///   filter, with a "frame"
/// and FRAME {"range":bool,"lower":BOUND,"upper":BOUND}; BOUND is null (unbounded), "current", rows
/// behind the row (below 0: before it), or of a range an EXPR over one column, the only key of the
/// order: what a row's key is compared with. Expressions are bound to the input.
Result<std::unique_ptr<Operator>> MakeWindow(OperatorSpec spec,
                                             std::vector<std::unique_ptr<Operator>> inputs,
                                             const TaskContext& context);

}  // namespace reprise
