// A random part of a partition's rows.
#pragma once

#include "operators/operator.h"

namespace reprise {

/// Kind "sample", arguments {"lower":double,"upper":double,"seed":long}: of each row a number is
/// drawn, at least 0 and below 1, and the rows whose number is at least `lower` and below `upper`
/// are kept. The numbers come of the seed plus the task's partition (TaskContext::partition), so
/// that the same rows in the same order give the same sample. One input; the output has its
/// columns.
Result<std::unique_ptr<Operator>> MakeSample(OperatorSpec spec,
                                             std::vector<std::unique_ptr<Operator>> inputs,
                                             const TaskContext& context);

}  // namespace reprise
