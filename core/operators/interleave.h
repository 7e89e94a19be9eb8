// Rows of several batches put into one, in any order.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/batch_bounds.h"

namespace reprise {

/// A row of one of some batches.
struct RowOfBatch {
  int32_t batch;
  int32_t row;
};

/// The batch without a selection, its dictionaries decoded: what a BatchPile takes.
Result<Batch> Compacted(const Batch& batch, arrow::MemoryPool* pool);

/// Batches of which rows are taken. What taking costs depends on the rows taken alone, not on how
/// many batches there are.
class BatchPile {
 public:
  explicit BatchPile(std::shared_ptr<arrow::Schema> schema);

  /// Adds a compacted batch of the schema; its number is how many there were.
  void Add(Batch batch);
  int32_t size() const { return static_cast<int32_t>(batches_.size()); }
  void Clear();

  const std::vector<Batch>& batches() const { return batches_; }

  /// The bytes of a row's values.
  int64_t BytesOf(RowOfBatch row) const { return widths_[row.batch][row.row]; }

  /// The rows at `rows`, in their order. Strings of more than 2 GiB together are
  /// Status::CapacityError.
  Result<Batch> Take(std::span<const RowOfBatch> rows, arrow::MemoryPool* pool) const;

  /// The first of the `count` rows `row_at(0)`, `row_at(1)`…: as many as are within `bounds`, one
  /// at least.
  template <typename RowAt>
  Result<Batch> TakeWithin(const BatchBounds& bounds, int64_t count, RowAt&& row_at,
                           arrow::MemoryPool* pool) const {
    count = std::min(bounds.rows, count);
    const bool may_be_long = longest_row_ > bounds.bytes / count;
    int64_t bytes = 0;
    std::vector<RowOfBatch> rows;
    rows.reserve(may_be_long ? 0 : static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
      const RowOfBatch row = row_at(i);
      if (may_be_long) {
        bytes += BytesOf(row);
        if (bytes > bounds.bytes && i > 0) break;
      }
      rows.push_back(row);
    }
    return Take(rows, pool);
  }

 private:
  /// One column of all batches: where its values begin, and of strings where they end.
  struct Column {
    std::vector<const arrow::Array*> arrays;
    std::vector<const uint8_t*> values;
    std::vector<const int32_t*> offsets;
    bool has_nulls = false;
    std::string_view TextAt(RowOfBatch row) const {
      const int32_t* begin = offsets[row.batch] + row.row;
      return {reinterpret_cast<const char*>(values[row.batch]) + begin[0],
              static_cast<size_t>(begin[1] - begin[0])};
    }
  };
  class Taking;

  std::shared_ptr<arrow::Schema> schema_;
  std::vector<Batch> batches_;
  std::vector<RowWidths> widths_;
  std::vector<Column> columns_;
  int64_t longest_row_ = 0;  // no row has more bytes
};

}  // namespace reprise
