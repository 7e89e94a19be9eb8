// Where rows of a Spark RDD come from. jni/ implements it over a Java iterator.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace reprise {

class RowSource {
 public:
  /// What one call of Fill has given.
  struct Filled {
    int32_t rows = 0;  ///< rows written; 0 with needed_bytes 0: no more rows
    int64_t needed_bytes =
        0;  ///< only with rows 0: the next row needs so many bytes, more than the capacity
    bool fails_next = false;  ///< only with rows 0: the next row is an error, told by the next call
  };

  virtual ~RowSource() = default;

  /// Writes up to `rows_max` (> 0) UnsafeRows one after the other to `rows`, of which there are
  /// `capacity` bytes, and the bytes of each to `lengths`. Gives fewer rows where the next one does
  /// not fit or there is none. May block.
  virtual Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                              int32_t rows_max) = 0;
};

}  // namespace reprise
