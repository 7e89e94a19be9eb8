// The compression schemes of Spark's cache, written (org.apache.spark.sql.execution.columnar.
// compression): the format is that of cached_columns.cc.
#pragma once

#include <arrow/buffer_builder.h>

#include <span>

#include "base/status.h"

namespace reprise {

/// The schemes that Spark tries for a type, beside none.
struct SchemeChoice {
  bool runs = false;
  bool dictionary = false;
  bool bits = false;
  bool deltas = false;
};

/// Writes the scheme's number and the values by the scheme that takes the fewest bytes, in Spark's
/// order where two take as many; as they are where that does not save a fifth.
template <typename T>
Status WriteNumbers(std::span<const T> values, SchemeChoice schemes, arrow::BufferBuilder* to);

/// The same of `count` strings, each an int32 of its size and its bytes.
Status WriteStrings(std::span<const uint8_t> values, int64_t count, SchemeChoice schemes,
                    arrow::BufferBuilder* to);

}  // namespace reprise
