// Writes rows of batches as blocks of the wire format (block_format.h).
#pragma once

#include <arrow/buffer.h>
#include <arrow/memory_pool.h>

#include <memory>
#include <span>
#include <vector>

#include "base/batch.h"
#include "exchange/codec.h"

namespace reprise {

/// Some rows of a batch without a selection, one after the other.
struct BatchSlice {
  const Batch* batch = nullptr;
  int64_t begin = 0;
  int64_t count = 0;
};

/// Bytes that the values of the slice take, as RowWidths counts them.
int64_t PlainBytes(const BatchSlice& slice);

class ColumnWriter;

/// Encodes blocks of one schema, one after the other. Equal rows give equal blocks. Used by one
/// thread at a time.
class BlockEncoder {
 public:
  /// Memory for blocks and for what the encoder needs itself comes from `pool`, which must outlive
  /// it. Columns of types that have no native form are Status::NotImplemented.
  static Result<std::unique_ptr<BlockEncoder>> Make(std::shared_ptr<arrow::Schema> schema,
                                                    Codec codec, arrow::MemoryPool* pool);
  ~BlockEncoder();

  /// One block of the rows of `slices`, in their order; there may be none. Status::CapacityError
  /// where the rows take more than 2 GB.
  Result<std::shared_ptr<arrow::Buffer>> Encode(std::span<const BatchSlice> slices);

  /// One block of the selected rows of `batch`.
  Result<std::shared_ptr<arrow::Buffer>> Encode(const Batch& batch);

 private:
  BlockEncoder(std::shared_ptr<arrow::Schema> schema, arrow::MemoryPool* pool);

  std::shared_ptr<arrow::Schema> schema_;
  uint64_t schema_check_ = 0;
  arrow::MemoryPool* pool_;
  std::unique_ptr<Compressor> compressor_;
  std::vector<std::unique_ptr<ColumnWriter>> columns_;
};

}  // namespace reprise
