// The leaf operator over columns of another Arrow implementation.
#pragma once

#include <memory>

#include "operators/operator.h"
#include "transitions/arrow_source.h"

namespace reprise {

/// Kind "arrow_input": the rows of `source`, copied. `spec.output` are their fields, behind those
/// of the batches that are put aside for them; `spec.inputs` must be empty. `arguments`:
///   {"kept":N}   the first N columns of the output are the first of those batches, whose rows
///                stand beside those of the source; 0: there are no such batches
/// Status::Invalid where there are more rows than kept ones, or fewer.
Result<std::unique_ptr<Operator>> MakeArrowInput(OperatorSpec spec,
                                                 std::unique_ptr<ArrowSource> source,
                                                 const TaskContext& context);

}  // namespace reprise
