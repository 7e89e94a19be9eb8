// One column of the blocks that an encoder writes.
#pragma once

#include <arrow/array.h>
#include <arrow/buffer_builder.h>

#include <memory>
#include <span>
#include <vector>

#include "exchange/block_format.h"
#include "exchange/codec.h"

namespace reprise {

/// Some rows of a column.
struct ColumnSlice {
  const arrow::ArrayData* data = nullptr;
  int64_t begin = 0;  ///< without the data's own offset
  int64_t count = 0;

  int64_t offset() const { return data->offset + begin; }
  bool has_nulls() const { return data->buffers[0] != nullptr && data->GetNullCount() > 0; }
  bool is_valid(int64_t row) const;
};

/// Where a block's buffers are put together: compressed where that pays.
class BufferSink {
 public:
  BufferSink(Compressor* compressor, arrow::BufferBuilder* out)
      : compressor_(compressor), out_(out) {}

  /// Whether compressing has paid for a buffer of a column; kept from block to block.
  struct Experience {
    int failures = 0;
    int skip = 0;  ///< blocks for which it is not tried again
  };

  Status Add(std::span<const uint8_t> raw, Experience* experience);
  const std::vector<block::BufferSize>& sizes() const { return sizes_; }

 private:
  Compressor* compressor_;
  arrow::BufferBuilder* out_;
  std::vector<block::BufferSize> sizes_;
};

/// Writes one column of block after block.
class ColumnWriter {
 public:
  explicit ColumnWriter(arrow::MemoryPool* pool) : scratch_(pool) {}
  virtual ~ColumnWriter() = default;
  /// Adds the column's buffers to `sink` and returns its head. There is at least one row.
  Result<block::ColumnHead> Write(std::span<const ColumnSlice> slices, BufferSink* sink);

 protected:
  /// The buffers after the validity. `rows` is the sum over the slices, of which some are not null.
  virtual Status WriteValues(std::span<const ColumnSlice> slices, int64_t rows, bool has_nulls,
                             block::ColumnHead* head, BufferSink* sink) = 0;

  /// `bytes` bytes to write to, valid until the next call.
  Result<uint8_t*> Scratch(int64_t bytes);
  std::span<const uint8_t> Written(int64_t bytes) const {
    return {scratch_.data(), static_cast<size_t>(bytes)};
  }
  BufferSink::Experience* experience(int buffer) { return &experience_[buffer]; }

 private:
  arrow::BufferBuilder scratch_;
  BufferSink::Experience experience_[4];
};

/// Status::NotImplemented for types that have no native form.
Result<std::unique_ptr<ColumnWriter>> MakeColumnWriter(const arrow::DataType& type,
                                                       arrow::MemoryPool* pool);

/// For strings and binary; text_writer.cc.
std::unique_ptr<ColumnWriter> MakeTextWriter(arrow::MemoryPool* pool);

/// The narrowest of 1, 2 and 4 bytes that holds `value`.
inline uint8_t WidthOf(uint64_t value) { return value < 0x100 ? 1 : value < 0x10000 ? 2 : 4; }

}  // namespace reprise
