// Groups of rows for Python.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Kind "python_groups": the rows of its input, which is sorted by some keys, in batches of one
/// group each. `arguments`: those of "python_batches", which say where a batch ends within a group,
/// and
///   {"keys":[EXPR…]}   rows that agree in all of them are a group
/// The output has the input's columns, and behind them one of booleans: whether a batch is the last
/// of its group. Errors: Status::Invalid naming the member.
Result<std::unique_ptr<Operator>> MakePythonGroups(OperatorSpec spec,
                                                   std::vector<std::unique_ptr<Operator>> inputs,
                                                   const TaskContext& context);

}  // namespace reprise
