// The leaf operator that counts.
#pragma once

#include <memory>

#include "operators/operator.h"

namespace reprise {

/// Kind "range": the part of an arithmetic sequence that belongs to the task's partition
/// (TaskContext::partition). Arguments {"start":long,"end":long,"step":long,"slices":int}, as
/// spark.range(start, end, step, numSlices) has them; at most 2^63-1 elements. Status::Invalid for
/// a step of 0, for more elements, or for a partition that is none of the slices.
Result<std::unique_ptr<Operator>> MakeRange(OperatorSpec spec,
                                            std::vector<std::unique_ptr<Operator>> inputs,
                                            const TaskContext& context);

}  // namespace reprise
