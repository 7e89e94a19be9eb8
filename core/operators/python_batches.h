// The batches in which rows go to Python.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Kind "python_batches": the rows of its input in batches that end where Spark's end, since a
/// function that is given a batch can tell. `arguments`:
///   {"rows":N,        at most so many, unless it is 0 or less
///    "bytes":N,       and no more behind the row with which those of the columns that are sent
///                     come to so many, as Spark's Arrow writer counts them
///    "sent":[COLUMN…]}
/// Where the rows themselves are too large to be kept that long, a batch ends before, unless
/// "bytes" is the greatest number: then it does not end for their size. The output has the input's
/// columns, plain and without a selection. Errors: Status::Invalid naming the member.
Result<std::unique_ptr<Operator>> MakePythonBatches(OperatorSpec spec,
                                                    std::vector<std::unique_ptr<Operator>> inputs,
                                                    const TaskContext& context);

}  // namespace reprise
