// GuestProject: columns that Spark computes, put beside the input's.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Makes an operator that gives its input's columns and after them those of its guests: expressions
/// without a native form, evaluated by Spark's own code (transitions/guest_rows.h). `arguments`:
///   {"reads":[COLUMN…],  the input's columns that the guests read, in the order of their rows
///    "trials":[EXPR…],   of each guest what gives most of its values without Spark; none where
///                        the guests are not tried
///    "guest":NUMBER,     which of the task's guests they are (TaskContext::take_guest); the
///                        fragment says it
///    "fragment":NUMBER}  the same in all tasks that have the same guests, and in no others of the
///                        process: joins share what they make of a broadcast by it
/// Errors: Status::Invalid naming the member; Status::NotImplemented where there is no Spark.
Result<std::unique_ptr<Operator>> MakeGuestProject(OperatorSpec spec,
                                                   std::vector<std::unique_ptr<Operator>> inputs,
                                                   const TaskContext& context);

}  // namespace reprise
