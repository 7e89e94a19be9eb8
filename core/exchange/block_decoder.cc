#include "exchange/block_decoder.h"

#include <arrow/array.h>

#include <algorithm>
#include <cstring>

#include "base/batch_bounds.h"
#include "exchange/column_reader.h"

namespace reprise {

Status CheckHeader(const block::Header& header) {
  if (header.magic != block::kMagic) {
    return Status::IOError(
        fmt::format("this is no block: it begins with {:#010x}, expected {:#010x}", header.magic,
                    block::kMagic));
  }
  if (header.version != block::kVersion) {
    return Status::NotImplemented("the block has version ", header.version,
                                  ", this core reads version ", block::kVersion,
                                  ": use one Reprise release on all machines");
  }
  if (header.codec > static_cast<uint8_t>(Codec::kZstd)) {
    return Status::IOError("the block is damaged: codec number ", static_cast<int>(header.codec));
  }
  return Status::OK();
}

Result<CheckedBlock> CheckedBlock::Make(std::shared_ptr<arrow::Buffer> bytes,
                                        const arrow::Schema& schema) {
  CheckedBlock checked;
  if (bytes->size() < block::kHeaderBytes) {
    return Status::IOError("the block is cut off: ", bytes->size(), " bytes, its header alone has ",
                           block::kHeaderBytes);
  }
  block::Header& header = checked.header_;
  std::memcpy(&header, bytes->data(), sizeof(header));
  RETURN_NOT_OK(CheckHeader(header));
  const auto body = static_cast<uint64_t>(bytes->size() - block::kHeaderBytes);
  if (header.body_bytes != body) {
    return Status::IOError("the block is cut off or damaged: ", body,
                           " bytes follow its header, expected ", header.body_bytes);
  }
  const uint64_t found = block::Checksum(bytes->data(), static_cast<int64_t>(body));
  if (found != header.checksum) {
    return Status::IOError(fmt::format(
        "the block is damaged: its checksum is {:016x}, expected {:016x}", found, header.checksum));
  }
  const auto columns = static_cast<uint32_t>(schema.num_fields());
  if (header.columns != columns || header.schema != block::SchemaCheck(schema)) {
    return Status::IOError("the block has ", header.columns, " columns of other types than the ",
                           columns, " expected: ", schema.ToString());
  }
  checked.bytes_ = std::move(bytes);
  RETURN_NOT_OK(checked.ReadDirectory());
  return checked;
}

Status CheckedBlock::ReadDirectory() {
  const uint8_t* next = bytes_->data() + block::kHeaderBytes;
  const uint8_t* const end = bytes_->data() + bytes_->size();
  const auto take = [&](void* to, size_t size) {
    if (static_cast<size_t>(end - next) < size) return false;
    std::memcpy(to, next, size);
    next += size;
    return true;
  };
  const Status too_short = Status::IOError("the block is damaged: its directory is cut off");
  columns_.resize(header_.columns);
  for (Column& column : columns_) {
    if (!take(&column.head, sizeof(column.head))) return too_short;
    const int count = block::BufferCount(column.head);
    if (count < 0) {
      return Status::IOError("the block is damaged: encoding number ",
                             static_cast<int>(column.head.encoding));
    }
    const bool has_validity = (column.head.flags & block::kHasValidity) != 0;
    for (int i = 0; i < count; ++i) {
      block::BufferSize size;
      if (!take(&size, sizeof(size))) return too_short;
      Stored& stored = column.buffers[i + (has_validity ? 0 : 1)];
      stored.raw_bytes = size.raw;
      stored.bytes = {static_cast<const uint8_t*>(nullptr), size.stored};
    }
  }
  for (Column& column : columns_) {
    for (Stored& stored : column.buffers) {
      if (static_cast<size_t>(end - next) < stored.bytes.size()) return too_short;
      stored.bytes = {next, stored.bytes.size()};
      next += stored.bytes.size();
    }
  }
  if (next == end) return Status::OK();
  return Status::IOError("the block is damaged: ", end - next, " bytes follow its last buffer");
}

BlockDecoder::BlockDecoder(std::shared_ptr<arrow::Schema> schema, arrow::MemoryPool* pool)
    : schema_(std::move(schema)), pool_(pool) {
  RowWidths widths;
  for (const auto& field : schema_->fields()) widths.Add(arrow::ArrayData(field->type(), 0));
  fixed_bytes_ = widths.fixed_bytes();
}

BlockDecoder::~BlockDecoder() = default;

int64_t BlockDecoder::PlainBytes(const CheckedBlock& block) const {
  int64_t bytes = fixed_bytes_ * block.rows();
  for (size_t i = 0; i < static_cast<size_t>(schema_->num_fields()); ++i) {
    const CheckedBlock::Column& column = block.column(i);
    if (column.head.encoding == block::Encoding::kText) {
      bytes += column.buffers[2].raw_bytes;
    } else if (column.head.encoding == block::Encoding::kDictionary) {
      const int64_t width = std::max<int64_t>(column.head.dictionary_width, 1);
      const int64_t entries = std::max<int64_t>(column.buffers[2].raw_bytes / width, 1);
      bytes += column.buffers[3].raw_bytes / entries * block.rows();
    }
  }
  return bytes;
}

Result<Batch> BlockDecoder::Decode(std::span<const CheckedBlock> blocks) {
  Batch batch{schema_, {}, 0, nullptr};
  std::vector<BlockColumn> column(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    auto& compressor = compressors_[static_cast<size_t>(blocks[i].codec())];
    if (!compressor) {
      ARROW_ASSIGN_OR_RAISE(compressor, Compressor::Make(blocks[i].codec()));
    }
    column[i].compressor = compressor.get();
    column[i].rows = blocks[i].rows();
    batch.row_count += blocks[i].rows();
  }
  batch.columns.reserve(static_cast<size_t>(schema_->num_fields()));
  for (int number = 0; number < schema_->num_fields(); ++number) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      column[i].column = &blocks[i].column(static_cast<size_t>(number));
    }
    auto array = ReadColumn(schema_->field(number)->type(), column, batch.row_count, pool_);
    if (!array.ok()) {
      return WithPrefix(array.status(),
                        fmt::format("column {} ({}): ", number, schema_->field(number)->name()));
    }
    batch.columns.push_back(std::move(*array));
  }
  return batch;
}

Result<Batch> BlockDecoder::Decode(std::shared_ptr<arrow::Buffer> bytes) {
  ARROW_ASSIGN_OR_RAISE(const CheckedBlock block, Check(std::move(bytes)));
  return Decode(std::span(&block, 1));
}

}  // namespace reprise
