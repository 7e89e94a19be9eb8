// An aggregate function that Spark evaluates for a native aggregate: rows with their groups in,
// rows of buffers or results out. jni/ implements it over Spark's own code.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "transitions/row_encoder.h"
#include "transitions/row_source.h"

namespace reprise {

/// The function's state for groups 0, 1, …, each of which starts as Spark's initial buffer. Fill
/// gives what Begin asked for, a row a group.
class GuestGroups : public RowSource {
 public:
  /// Forgets all groups.
  virtual Status Clear() = 0;

  /// Adds rows of the function's input; row i belongs to groups[i], all to group 0 where `groups`
  /// is null.
  virtual Status Update(const EncodedRows& rows, const int32_t* groups) = 0;

  /// The same of rows of buffers.
  virtual Status Merge(const EncodedRows& rows, const int32_t* groups) = 0;

  /// Asks for the buffers, or the results, of groups begin … end - 1.
  virtual Status Begin(int32_t begin, int32_t end, bool results) = 0;
};

}  // namespace reprise
