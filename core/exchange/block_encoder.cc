#include "exchange/block_encoder.h"

#include <cstring>
#include <limits>

#include "base/batch_bounds.h"
#include "base/check.h"
#include "exchange/block_format.h"
#include "exchange/column_writer.h"

namespace reprise {

int64_t PlainBytes(const BatchSlice& slice) {
  return RowWidths(slice.batch->columns).BytesOf(slice.begin, slice.begin + slice.count);
}

BlockEncoder::BlockEncoder(std::shared_ptr<arrow::Schema> schema, arrow::MemoryPool* pool)
    : schema_(std::move(schema)), schema_check_(block::SchemaCheck(*schema_)), pool_(pool) {}

BlockEncoder::~BlockEncoder() = default;

Result<std::unique_ptr<BlockEncoder>> BlockEncoder::Make(std::shared_ptr<arrow::Schema> schema,
                                                         Codec codec, arrow::MemoryPool* pool) {
  std::unique_ptr<BlockEncoder> encoder(new BlockEncoder(std::move(schema), pool));
  ARROW_ASSIGN_OR_RAISE(encoder->compressor_, Compressor::Make(codec));
  for (const auto& field : encoder->schema_->fields()) {
    ARROW_ASSIGN_OR_RAISE(auto column, MakeColumnWriter(*field->type(), pool));
    encoder->columns_.push_back(std::move(column));
  }
  return encoder;
}

Result<std::shared_ptr<arrow::Buffer>> BlockEncoder::Encode(std::span<const BatchSlice> slices) {
  block::Header header;
  header.codec = static_cast<uint8_t>(compressor_->codec());
  header.columns = static_cast<uint32_t>(columns_.size());
  header.schema = schema_check_;
  int64_t rows = 0;
  for (const BatchSlice& slice : slices) {
    REPRISE_CHECK(!slice.batch->has_selection() && slice.batch->columns.size() == columns_.size(),
                  "a slice of {} columns for a block of {}", slice.batch->columns.size(),
                  columns_.size());
    rows += slice.count;
  }
  if (rows > std::numeric_limits<int32_t>::max()) {
    return Status::CapacityError("a block of ", rows, " rows; at most 2147483647");
  }
  header.rows = static_cast<uint32_t>(rows);

  arrow::BufferBuilder body(pool_);
  BufferSink sink(compressor_.get(), &body);
  std::vector<block::ColumnHead> heads(columns_.size());
  std::vector<ColumnSlice> column;
  for (size_t i = 0; i < columns_.size() && rows > 0; ++i) {
    column.clear();
    for (const BatchSlice& slice : slices) {
      if (slice.count == 0) continue;
      column.push_back({slice.batch->columns[i]->data().get(), slice.begin, slice.count});
    }
    ARROW_ASSIGN_OR_RAISE(heads[i], columns_[i]->Write(column, &sink));
  }

  // The directory stands before the buffers, but its size is known only now.
  arrow::BufferBuilder out(pool_);
  const auto directory =
      static_cast<int64_t>(heads.size() * sizeof(heads[0]) + sink.sizes().size() * 8);
  header.body_bytes = static_cast<uint64_t>(directory + body.length());
  if (header.body_bytes > std::numeric_limits<int32_t>::max() - block::kHeaderBytes) {
    return Status::CapacityError("a block of ", header.body_bytes, " bytes; at most 2 GB");
  }
  RETURN_NOT_OK(out.Resize(block::kHeaderBytes + static_cast<int64_t>(header.body_bytes)));
  out.UnsafeAppend(&header, sizeof(header));
  const block::BufferSize* size = sink.sizes().data();
  for (const block::ColumnHead& head : heads) {
    out.UnsafeAppend(&head, sizeof(head));
    const int buffers = block::BufferCount(head);
    out.UnsafeAppend(size, buffers * static_cast<int64_t>(sizeof(*size)));
    size += buffers;
  }
  out.UnsafeAppend(body.data(), body.length());
  header.checksum = block::Checksum(out.data(), static_cast<int64_t>(header.body_bytes));
  std::memcpy(out.mutable_data(), &header, sizeof(header));
  return out.Finish();
}

Result<std::shared_ptr<arrow::Buffer>> BlockEncoder::Encode(const Batch& batch) {
  Batch plain = batch;
  if (batch.has_selection()) {
    for (size_t i = 0; i < batch.columns.size(); ++i) {
      ARROW_ASSIGN_OR_RAISE(plain.columns[i], GatherColumn(batch, static_cast<int>(i), pool_));
    }
    plain.row_count = batch.selected_count();
    plain.selection = nullptr;
  }
  const BatchSlice slice{&plain, 0, plain.row_count};
  return Encode(std::span(&slice, 1));
}

}  // namespace reprise
