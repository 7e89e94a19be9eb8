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

/// A record, and whether its end is taken for that of its stream (MakeDumpInput).
struct InputRecord {
  StreamRecord record;
  bool exhausted = false;
};

/// MakeDumpInput over the batches of the record, read one at a time, each verified.
std::unique_ptr<Operator> MakeRecordInput(const InputRecord& input, const TaskContext& context);

}  // namespace reprise
