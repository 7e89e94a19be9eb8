// Arrow -> UnsafeRow.
#pragma once

#include <arrow/buffer.h>
#include <arrow/memory_pool.h>

#include <memory>
#include <vector>

#include "base/batch.h"
#include "plan/data_type.h"

namespace reprise {

class RowColumnWriter;

/// Rows one after the other: row i is bytes[offsets[i]] to bytes[offsets[i + 1]]. Belongs to the
/// encoder.
struct EncodedRows {
  const uint8_t* bytes = nullptr;    ///< aligned to 64
  const int32_t* offsets = nullptr;  ///< row_count + 1
  int32_t row_count = 0;
};

/// Turns the selected rows of batches of one schema into UnsafeRows, byte for byte as Spark's
/// UnsafeProjection would. Rows are written in blocks that fit the cache, column by column.
class UnsafeRowEncoder {
 public:
  /// A field whose type has no native form is Status::NotImplemented.
  static Result<std::unique_ptr<UnsafeRowEncoder>> Make(const std::vector<Field>& fields,
                                                        arrow::MemoryPool* pool);
  ~UnsafeRowEncoder();

  /// The rows are valid until the next call; their memory, from the pool, is kept for it. Rows of
  /// more than 2 GB together are Status::CapacityError: see SplitForRows.
  Result<EncodedRows> Encode(const Batch& batch);

  /// An upper bound of the bytes of a batch's rows, found without looking at the rows.
  int64_t BytesBound(const Batch& batch) const;

 private:
  UnsafeRowEncoder(std::vector<std::unique_ptr<RowColumnWriter>> writers, arrow::MemoryPool* pool);
  Result<int64_t> MeasureRows(const Batch& batch, int64_t row_count);

  std::vector<std::unique_ptr<RowColumnWriter>> writers_;
  arrow::MemoryPool* pool_;
  int64_t fixed_bytes_;
  std::unique_ptr<arrow::ResizableBuffer> bytes_;
  std::unique_ptr<arrow::ResizableBuffer> offsets_;
};

/// The batch in pieces, in order, each of whose rows need at most `bytes_max` by the encoder's
/// bound; a single row may need more. Nothing is copied.
std::vector<Batch> SplitForRows(const UnsafeRowEncoder& encoder, const Batch& batch,
                                int64_t bytes_max);

}  // namespace reprise
