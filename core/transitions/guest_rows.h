// Expressions that Spark evaluates for a native operator: rows in, rows of results out. jni/
// implements it over Spark's own generated code.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/status.h"
#include "transitions/row_encoder.h"
#include "transitions/row_source.h"

namespace reprise {

/// The results of row after row of what was begun last: Fill gives them as UnsafeRows, none after a
/// row of which a guest could not be evaluated, whose result is null; the next call goes on behind
/// it.
class GuestRows : public RowSource {
 public:
  /// Rows to evaluate, whose memory must stay as it is until the results of all have been taken.
  virtual Status Begin(const EncodedRows& rows) = 0;

  /// Which guests, by their column among the results, could not be evaluated for the row that Fill
  /// gave last, and why; empty where all could.
  virtual Result<std::vector<std::pair<int, Status>>> Failures() = 0;
};

}  // namespace reprise
