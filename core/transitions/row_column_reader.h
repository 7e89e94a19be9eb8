// Reads one column out of blocks of UnsafeRows.
#pragma once

#include <arrow/array/data.h>
#include <arrow/memory_pool.h>

#include <memory>
#include <span>

#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

/// Rows per block: few enough that a block of usual rows stays in the second-level cache while one
/// column after the other is read from it; a multiple of 8, so that a block's bits start at a byte.
inline constexpr int64_t kRowBlockRows = 512;

/// Some rows of a batch; their lengths have been checked to hold at least the fixed part.
struct RowBlock {
  int64_t first_row;  ///< number of the first row in the batch
  std::span<const uint8_t* const> rows;
  std::span<const int32_t> lengths;     ///< bytes of each row
  std::span<const uint64_t> null_bits;  ///< the rows' null words, or-ed
};

/// One column; used for one batch after the other: Begin, Append for each block, Finish.
class RowColumnReader {
 public:
  virtual ~RowColumnReader() = default;
  /// Starts a batch of `row_count` rows in `row_bytes` bytes.
  virtual Status Begin(int64_t row_count, int64_t row_bytes) = 0;
  virtual Status Append(const RowBlock& block) = 0;
  virtual Result<std::shared_ptr<arrow::ArrayData>> Finish() = 0;
};

/// A reader of field `index` of rows with `field_count` fields.
Result<std::unique_ptr<RowColumnReader>> MakeRowColumnReader(const Field& field, int index,
                                                             int field_count,
                                                             arrow::MemoryPool* pool);

}  // namespace reprise
