// What the base class of operators shows batches to. dump/ implements it.
#pragma once

#include "base/batch.h"
#include "base/status.h"

namespace reprise {

/// How a task ended, for those who record it.
enum class CaptureEnd {
  kSucceeded,
  kFailed,
};

/// Sees an operator's input batches before the operator does, and its output batches before its
/// consumer does.
class Capture {
 public:
  virtual ~Capture() = default;
  virtual Status OnInput(int input, const Batch& batch) = 0;
  virtual Status OnInputEnd(int input) = 0;
  virtual Status OnOutput(const Batch& batch) = 0;
  virtual Status OnOutputEnd() = 0;
  /// The task is over. Not called when the process dies.
  virtual Status Finish(CaptureEnd end) = 0;
};

}  // namespace reprise
