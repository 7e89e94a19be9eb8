// The record of an operator that reads all partitions of its inputs for each one of its output.
#pragma once

#include "dump/reader.h"

namespace reprise {

/// Of a dump whose streams stand apart: the record of one partition of the output, and of each
/// input one stream of all its partitions, one after the other. Status::Invalid where one of them
/// has no whole record.
Result<PartitionRecord> RecordOfWholeInputs(const OperatorDump& dump, int partition);

}  // namespace reprise
