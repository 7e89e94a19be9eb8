// From the core's errors to Python's.
#pragma once

#include <string>
#include <utility>

#include "base/status.h"

namespace reprise {

/// Carries a failing Status to the translator, which raises reprise.Error, OSError for
/// Status::IOError, KeyboardInterrupt for Status::Cancelled, and MemoryError for
/// Status::OutOfMemory. What a signal handler has raised is raised again as it was.
class StatusError : public std::exception {
 public:
  explicit StatusError(Status status) : status_(std::move(status)), text_(status_.message()) {}
  const Status& status() const { return status_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Status status_;
  std::string text_;
};

inline void RaiseIfFailed(const Status& status) {
  if (!status.ok()) throw StatusError(status);
}

template <typename T>
T ValueOrRaise(Result<T> result) {
  RaiseIfFailed(result.status());
  return *std::move(result);
}

}  // namespace reprise
