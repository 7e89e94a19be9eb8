// The leaf over one record, for whoever needs no other source of batches.
#pragma once

#include <memory>
#include <string_view>

#include "dump/reader.h"
#include "operators/operator.h"

namespace reprise {

/// What the error at the end of a record says (dump_input.h). It is all that is left of the error
/// once it has gone through a JVM.
inline constexpr std::string_view kRecordEndText =
    "the record ends here: what the operator read next was not recorded";

/// MakeDumpInput over the batches of `record`, read one at a time, each verified.
std::unique_ptr<Operator> MakeRecordInput(const StreamRecord& record, const TaskContext& context);

}  // namespace reprise
