// Which rows of a batch are null, gathered while a column is decoded.
#pragma once

#include <arrow/buffer.h>

#include <cstdint>
#include <memory>

#include "base/status.h"

namespace reprise {

/// The validity bitmap of a batch, made when the first null comes.
class BatchValidity {
 public:
  BatchValidity(int64_t rows, arrow::MemoryPool* pool) : rows_(rows), pool_(pool) {}

  /// Adds `count` rows from row `begin` on that have the definition levels `levels` (0: null).
  Status AddLevels(int64_t begin, int64_t count, const int16_t* levels);

  int64_t null_count() const { return null_count_; }
  std::shared_ptr<arrow::Buffer> bitmap() const { return bitmap_; }

 private:
  int64_t rows_;
  arrow::MemoryPool* pool_;
  int64_t null_count_ = 0;
  std::shared_ptr<arrow::Buffer> bitmap_;
};

/// Moves the `dense` values at the front of `values` to the rows whose level is not 0, and sets the
/// others to zero.
template <typename T>
void SpreadValues(T* values, int64_t dense, const int16_t* levels, int64_t count) {
  for (int64_t row = count; row-- > 0;) {
    if (levels[row] != 0) {
      values[row] = values[--dense];
    } else {
      values[row] = T{};
    }
  }
}

/// Allocates room for `rows` values of `width` bytes.
inline Result<std::shared_ptr<arrow::Buffer>> AllocateValues(int64_t rows, int64_t width,
                                                             arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateBuffer(rows * width, pool));
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

}  // namespace reprise
