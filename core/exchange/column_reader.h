// One column of a batch, read from the blocks that make it up.
#pragma once

#include <arrow/array.h>
#include <arrow/memory_pool.h>

#include <memory>
#include <span>
#include <vector>

#include "exchange/block_decoder.h"

namespace reprise {

/// The same column of one of the blocks.
struct BlockColumn {
  const CheckedBlock::Column* column = nullptr;
  Compressor* compressor = nullptr;  ///< of the block's codec
  int64_t rows = 0;
};

/// Gives the raw bytes of stored buffers. The bytes of a compressed one are valid until the next
/// call.
class BufferOpener {
 public:
  explicit BufferOpener(arrow::MemoryPool* pool) : pool_(pool) {}
  Result<const uint8_t*> Open(const BlockColumn& block, int buffer);
  /// The same into `out`, which has the buffer's raw bytes.
  static Status OpenInto(const BlockColumn& block, int buffer, uint8_t* out);

 private:
  arrow::MemoryPool* pool_;
  std::shared_ptr<arrow::ResizableBuffer> scratch_;
};

/// The column of `type` of `blocks`, which have `rows` rows together.
Result<std::shared_ptr<arrow::Array>> ReadColumn(const std::shared_ptr<arrow::DataType>& type,
                                                 std::span<const BlockColumn> blocks, int64_t rows,
                                                 arrow::MemoryPool* pool);

/// The validity of the rows of `blocks`; null where no row is null.
Result<std::shared_ptr<arrow::Buffer>> ReadValidity(std::span<const BlockColumn> blocks,
                                                    int64_t rows, BufferOpener* opener,
                                                    arrow::MemoryPool* pool);

/// For strings and binary; text_reader.cc. `nulls` is the number of null rows.
Result<std::shared_ptr<arrow::Array>> ReadText(const std::shared_ptr<arrow::DataType>& type,
                                               std::span<const BlockColumn> blocks, int64_t rows,
                                               int64_t nulls,
                                               std::shared_ptr<arrow::Buffer> validity,
                                               arrow::MemoryPool* pool);

}  // namespace reprise
