// The numbers of a column of Spark's cache, decoded side by side.
#pragma once

#include <arrow/buffer.h>

#include <memory>
#include <vector>

#include "transitions/cache_reader.h"

namespace reprise {

/// A column of one batch whose values have one width: numbers, booleans, times and decimals of up
/// to 18 digits.
class CachedNumbers {
 public:
  /// `width`: of a value, in bytes: 1, 2, 4 or 8.
  CachedNumbers(int width, arrow::MemoryPool* pool) : width_(width), pool_(pool) {}

  int width() const { return width_; }

  /// Decodes `rows` values, in the format of cached_columns.cc. `bytes` must outlive what is copied
  /// of them. Status::Invalid where they are no such column.
  Status Decode(std::span<const uint8_t> bytes, int64_t rows);

  /// Copies values, 0 for a null, and for each whether it is one; returns how many are.
  int64_t Copy(int64_t first, int64_t count, uint8_t* values, uint8_t* nulls) const;

 private:
  Status PlaceNulls(CacheReader* reader, int64_t rows);
  template <typename T>
  Status DecodeAs(CacheReader* reader, int64_t rows);
  template <typename T>
  Result<T*> Made(int64_t rows);

  const int width_;
  arrow::MemoryPool* const pool_;
  std::vector<uint8_t> nulls_;  // by row; empty: there are none
  int64_t null_count_ = 0;
  const uint8_t* values_ = nullptr;      // by row: in the cache's bytes, or
  std::unique_ptr<arrow::Buffer> made_;  // here
};

}  // namespace reprise
