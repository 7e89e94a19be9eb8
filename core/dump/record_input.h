// The leaf over one record, for whoever needs no other source of batches.
#pragma once

#include <memory>
#include <string>

#include "dump/reader.h"
#include "operators/operator.h"

namespace reprise {

/// What the error at the end of a record says (dump_input.h), with a number that this process alone
/// knows: it is all that is left of the error once it has gone through a JVM, and no error of a
/// user's function may be taken for it.
const std::string& RecordEndText();

/// MakeDumpInput over the batches of `record`, read one at a time, each verified.
std::unique_ptr<Operator> MakeRecordInput(const StreamRecord& record, const TaskContext& context);

}  // namespace reprise
