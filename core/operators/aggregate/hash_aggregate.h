// Hash aggregate: GROUP BY, and aggregates over all rows.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Makes a hash aggregate (Spark's HashAggregateExec, ObjectHashAggregateExec and
/// SortAggregateExec). `arguments`:
///   {"keys":[EXPR…],                        bound to the input; none: one group, there even for an
///   empty input
///    "aggregates":[{
///      "function":"count"|"sum"|"min"|"max"|"avg",
///      "mode":"partial"|"partial_merge"|"final"|"complete",      may differ between the
///      aggregates, as Spark plans DISTINCT "inputs":[EXPR…],                    bound to the
///      input; partial and complete "filter":EXPR|null,                  FILTER (WHERE …); partial
///      and complete "buffer":[FIELD…],                   Spark's aggregation buffer:
///                                             count → [count long]; min, max → [value]
///                                             sum → [sum], of decimals [sum
///                                             decimal(min(38,p+10),s), isEmpty boolean] avg → [sum
///                                             double, count long], of decimals the sum as above
///      "bufferIndex":k,                     input column of the first buffer field; partial_merge
///      and final "result":TYPE, "inputType":TYPE,     of the function, and of its argument (absent
///      or null for count) "ansi":bool}…],
///    "results":[EXPR…],                     bound to [keys…, result of each aggregate]; where all
///    are final or complete
///    "sorted":bool?,                        the rows of a group stand together in the input
///    "commons":"all"|"unfiltered"|"none"?,  of which functions' arguments what is common is
///    evaluated first (expressions/common_subexpressions.h); absent: all
///    "deferred":bool?,                      a result that cannot be computed fails where it is
///    used (base/value_errors.h); absent: true "boundedSums":bool?}                   a sum of
///    decimals that outgrows its type is lost at once, even if later values would bring it back;
///    absent: where there are keys
/// The function "guest" is one that Spark evaluates: "inputs" are the columns that it reads, and
/// its "guest":n and that of the operator's arguments, which the fragment says, give together which
/// of the task's guest functions it is (TaskContext::take_guest_groups). An aggregate may have a
/// "context", as expressions have (expressions/query_context.h). Without "results" the output is
/// [keys…, buffers in order]. Groups leave in order of first appearance; those of an input that is
/// not sorted in another one where memory is short. Types are JSON names as in Field. Errors:
/// Status::Invalid naming the member; Status::NotImplemented for a function or a type that it does
/// not have.
Result<std::unique_ptr<Operator>> MakeHashAggregate(OperatorSpec spec,
                                                    std::vector<std::unique_ptr<Operator>> inputs,
                                                    const TaskContext& context);

}  // namespace reprise
