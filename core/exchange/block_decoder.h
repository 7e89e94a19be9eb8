// Reads blocks of the wire format (block_format.h) back as batches.
#pragma once

#include <arrow/buffer.h>
#include <arrow/memory_pool.h>

#include <memory>
#include <span>
#include <vector>

#include "base/batch.h"
#include "exchange/block_format.h"
#include "exchange/codec.h"

namespace reprise {

/// A block whose header, checksum and directory have been checked.
class CheckedBlock {
 public:
  /// Checks `bytes` against `schema`. A block that is cut off, damaged, of other columns or of
  /// another version is Status::IOError or Status::NotImplemented that says what was found and what
  /// was expected.
  static Result<CheckedBlock> Make(std::shared_ptr<arrow::Buffer> bytes,
                                   const arrow::Schema& schema);

  int64_t rows() const { return header_.rows; }
  int64_t size() const { return bytes_->size(); }
  Codec codec() const { return static_cast<Codec>(header_.codec); }

  /// A buffer of a column as it is stored.
  struct Stored {
    std::span<const uint8_t> bytes;
    int64_t raw_bytes = 0;
    bool is_compressed() const { return raw_bytes != static_cast<int64_t>(bytes.size()); }
  };
  struct Column {
    block::ColumnHead head;
    Stored buffers[4];  ///< validity first, whether there is one or not
  };
  const Column& column(size_t index) const { return columns_[index]; }

 private:
  Status ReadDirectory();

  std::shared_ptr<arrow::Buffer> bytes_;
  block::Header header_;
  std::vector<Column> columns_;
};

/// Checks a header alone: magic, version, codec.
Status CheckHeader(const block::Header& header);

class ColumnReader;

/// Decodes blocks of one schema. Used by one thread at a time.
class BlockDecoder {
 public:
  /// Memory of the batches comes from `pool`.
  BlockDecoder(std::shared_ptr<arrow::Schema> schema, arrow::MemoryPool* pool);
  ~BlockDecoder();

  /// Checks one block; errors as CheckedBlock::Make.
  Result<CheckedBlock> Check(std::shared_ptr<arrow::Buffer> bytes) const {
    return CheckedBlock::Make(std::move(bytes), *schema_);
  }

  /// What the values of the block take, as RowWidths counts them; of strings that have a dictionary
  /// about, as if all of its entries were in as many rows.
  int64_t PlainBytes(const CheckedBlock& block) const;

  /// One batch of the rows of all `blocks`, in their order. Strings stay dictionary-encoded where
  /// all blocks have them so.
  Result<Batch> Decode(std::span<const CheckedBlock> blocks);

  /// The batch of one block.
  Result<Batch> Decode(std::shared_ptr<arrow::Buffer> bytes);

 private:
  std::shared_ptr<arrow::Schema> schema_;
  int64_t fixed_bytes_ = 0;  // of a row
  arrow::MemoryPool* pool_;
  std::unique_ptr<Compressor> compressors_[3];  // by codec, made when first needed
};

}  // namespace reprise
