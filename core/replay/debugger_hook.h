// What a debugger holds on to while an operator is replayed under it (`--gdb`).
#pragma once

#include <arrow/record_batch.h>

#include <memory>
#include <string>

#include "operators/operator.h"

namespace reprise {

/// Tells the debugger that the replay of `root` is about to begin: calls reprise_operator_starts
/// with the address of the operator's NextBatch, for a breakpoint there.
void TellDebuggerOfStart(Operator& root, int partition, int64_t attempt);

/// Remembers the batch that input `input` has just given, for the debugger to show.
void TellDebuggerOfBatch(int input, std::shared_ptr<arrow::RecordBatch> batch);

/// The Python program for gdb: breakpoint and command.
std::string GdbProgram();

}  // namespace reprise

extern "C" {
/// Does nothing: a breakpoint here sees, in its first argument, where the operator computes, and in
/// its second the operator.
void reprise_operator_starts(void* next_batch, void* self);
/// Partition and attempt, and the first rows of the batch that each input gave last, as text.
extern char reprise_shown[65536];
}
