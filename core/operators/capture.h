// What the base class of operators shows batches to. dump/ implements it.
#pragma once

#include <string>

#include "base/batch.h"
#include "base/status.h"

namespace reprise {

/// How a task ended, for those who record it.
enum class CaptureEnd {
  kSucceeded,
  kFailed,
};

/// What is known of a failed task's error.
struct FailureOfTask {
  /// What the root of the operator's fragment has given; OK where the error arose outside of it.
  Status raised;
  /// The error that Spark has seen (dump/raised_error.h); empty: nobody told.
  std::string error;
  /// An input of the operator has given the error.
  bool is_from_input = false;
};

/// Sees an operator's input batches before the operator does, and its output batches before its
/// consumer does.
class Capture {
 public:
  virtual ~Capture() = default;
  /// Whether the operator must read all its inputs for itself, so that they are seen here.
  virtual bool needs_all() const { return true; }
  virtual Status OnInput(int input, const Batch& batch) = 0;
  virtual Status OnInputEnd(int input) = 0;
  virtual Status OnOutput(const Batch& batch) = 0;
  virtual Status OnOutputEnd() = 0;
  /// The task has failed, and its end follows.
  virtual void OnFailure(const FailureOfTask& failure) = 0;
  /// The task is over. Not called when the process dies.
  virtual Status Finish(CaptureEnd end) = 0;
};

}  // namespace reprise
