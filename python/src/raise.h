// From the core's errors to Python's.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <exception>
#include <string>
#include <utility>

#include "base/status.h"

namespace reprise {

/// Carries a failing Status to ToPythonError, which raises reprise.Error, OSError for
/// Status::IOError, KeyboardInterrupt for Status::Cancelled, and MemoryError for
/// Status::OutOfMemory.
class StatusError : public std::exception {
 public:
  explicit StatusError(Status status) : status_(std::move(status)), text_(status_.message()) {}
  const Status& status() const { return status_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Status status_;
  std::string text_;
};

/// Python's error is set already: it is raised as it is.
class PythonError : public std::exception {};

inline void RaiseIfFailed(const Status& status) {
  if (!status.ok()) throw StatusError(status);
}

template <typename T>
T ValueOrRaise(Result<T> result) {
  RaiseIfFailed(result.status());
  return *std::move(result);
}

/// Sets Python's error to what was thrown, which is to be called in a handler. `error_class` is
/// reprise.Error.
void ToPythonError(PyObject* error_class);

}  // namespace reprise
