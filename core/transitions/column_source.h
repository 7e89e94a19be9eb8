// Columns of Spark's, of whoever gives them. jni/ implements it over Java's ColumnarBatches.
#pragma once

#include <cstdint>
#include <limits>

#include "base/status.h"

namespace reprise {

/// Batches of columns, one after the other. Nothing of a batch may be asked for once the next one
/// is there: whoever gives them may use their memory again.
class ColumnSource {
 public:
  static constexpr int64_t kEnd = -1;
  /// Something was thrown, which Raise tells of. What was to be copied may be there in part.
  static constexpr int64_t kFailed = std::numeric_limits<int64_t>::min();

  virtual ~ColumnSource() = default;

  /// How many rows the next batch has, which may be 0; kEnd; or kFailed. May block.
  virtual Result<int64_t> Next() = 0;

  /// Copies `count` values of `width` bytes each of a column, from row `first` on: numbers little
  /// endian, booleans as a byte. Gives how many of them are null, or kFailed. Where there are such,
  /// `nulls` has a byte for each row then, 1 for a null, whose value may be anything.
  virtual Result<int64_t> CopyFixed(int column, int64_t first, int64_t count, int width,
                                    uint8_t* values, uint8_t* nulls) = 0;

  /// Copies values of various lengths, one behind the other, and their lengths, -1 for a null.
  /// Numbers are big endian with as few bytes as the sign allows. Gives how many values were
  /// copied, at most `count` and fewer where the next does not fit; `-needed` where the first takes
  /// `needed` bytes and there are fewer; or kFailed.
  virtual Result<int64_t> CopyBytes(int column, int64_t first, int64_t count, uint8_t* values,
                                    int64_t capacity, int32_t* lengths) = 0;

  /// The error of the last call that has given kFailed.
  virtual Status Raise() = 0;
};

}  // namespace reprise
