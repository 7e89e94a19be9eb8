#include "transitions/row_encoder.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "plan/unsafe_row.h"
#include "transitions/row_column_writer.h"

namespace reprise {

namespace {

// Few enough that a block of usual rows stays in the second-level cache while column after column
// is written.
constexpr int64_t kBlockRows = 512;
constexpr int64_t kRowsBytesMax = std::numeric_limits<int32_t>::max();

int32_t* Int32Of(arrow::Buffer& buffer) {
  return reinterpret_cast<int32_t*>(buffer.mutable_data());
}

Batch SliceOf(const Batch& batch, int64_t first, int64_t count) {
  Batch slice = batch;
  if (batch.has_selection()) {
    constexpr int64_t kWidth = sizeof(int32_t);
    slice.selection = arrow::SliceBuffer(batch.selection, first * kWidth, count * kWidth);
    return slice;
  }
  for (auto& column : slice.columns) column = column->Slice(first, count);
  slice.row_count = count;
  return slice;
}

}  // namespace

UnsafeRowEncoder::UnsafeRowEncoder(std::vector<std::unique_ptr<RowColumnWriter>> writers,
                                   arrow::MemoryPool* pool)
    : writers_(std::move(writers)),
      pool_(pool),
      fixed_bytes_(FixedRowBytes(static_cast<int64_t>(writers_.size()))) {}

UnsafeRowEncoder::~UnsafeRowEncoder() = default;

Result<std::unique_ptr<UnsafeRowEncoder>> UnsafeRowEncoder::Make(const std::vector<Field>& fields,
                                                                 arrow::MemoryPool* pool) {
  std::vector<std::unique_ptr<RowColumnWriter>> writers;
  const int field_count = static_cast<int>(fields.size());
  for (int i = 0; i < field_count; ++i) {
    ARROW_ASSIGN_OR_RAISE(auto writer, MakeRowColumnWriter(fields[i], i, field_count));
    writers.push_back(std::move(writer));
  }
  std::unique_ptr<UnsafeRowEncoder> encoder(new UnsafeRowEncoder(std::move(writers), pool));
  ARROW_ASSIGN_OR_RAISE(encoder->bytes_, arrow::AllocateResizableBuffer(0, pool));
  ARROW_ASSIGN_OR_RAISE(encoder->offsets_, arrow::AllocateResizableBuffer(0, pool));
  return encoder;
}

// Fills the offsets and returns the bytes of all rows together.
Result<int64_t> UnsafeRowEncoder::MeasureRows(const Batch& batch, int64_t row_count) {
  RETURN_NOT_OK(offsets_->Resize((row_count + 1) * static_cast<int64_t>(sizeof(int32_t)),
                                 /*shrink_to_fit=*/false));
  const int32_t* selection = batch.has_selection() ? batch.selected().data() : nullptr;
  int64_t constant_bytes = fixed_bytes_;
  for (const auto& writer : writers_) constant_bytes += writer->constant_bytes();
  int32_t* offsets = Int32Of(*offsets_);
  int64_t sizes[kBlockRows];
  int64_t end = 0;
  offsets[0] = 0;
  for (int64_t first = 0; first < row_count; first += kBlockRows) {
    const int64_t count = std::min(kBlockRows, row_count - first);
    std::fill_n(sizes, count, constant_bytes);
    for (const auto& writer : writers_) {
      if (writer->has_variable_bytes())
        writer->AddBytes(selection, first, {sizes, static_cast<size_t>(count)});
    }
    for (int64_t i = 0; i < count; ++i) {
      end += sizes[i];
      offsets[first + i + 1] = static_cast<int32_t>(end);
    }
    if (end > kRowsBytesMax) {
      return Status::CapacityError("the first ", first + count, " of ", row_count, " rows need ",
                                   end, " bytes; at most ", kRowsBytesMax,
                                   " can be handed to Spark at once");
    }
  }
  return end;
}

Result<EncodedRows> UnsafeRowEncoder::Encode(const Batch& batch) {
  REPRISE_CHECK(batch.columns.size() == writers_.size(), "batch of {} columns, expected {}",
                batch.columns.size(), writers_.size());
  const int64_t row_count = batch.selected_count();
  REPRISE_CHECK(row_count < kRowsBytesMax, "batch of {} rows", row_count);
  for (size_t c = 0; c < writers_.size(); ++c) writers_[c]->Begin(*batch.columns[c]);
  ARROW_ASSIGN_OR_RAISE(const int64_t bytes, MeasureRows(batch, row_count));
  RETURN_NOT_OK(bytes_->Resize(std::max(bytes, kRowWordBytes), /*shrink_to_fit=*/false));

  int32_t variable_ends[kBlockRows];
  RowsToWrite rows;
  rows.selection = batch.has_selection() ? batch.selected().data() : nullptr;
  rows.bytes = bytes_->mutable_data();
  rows.variable_ends = variable_ends;
  const int32_t* offsets = Int32Of(*offsets_);
  const int64_t null_bytes = NullBitsBytes(static_cast<int64_t>(writers_.size()));
  for (rows.first = 0; rows.first < row_count; rows.first += kBlockRows) {
    rows.count = std::min(kBlockRows, row_count - rows.first);
    rows.offsets = offsets + rows.first;
    std::fill_n(variable_ends, rows.count, static_cast<int32_t>(fixed_bytes_));
    for (int64_t i = 0; i < rows.count; ++i) {
      std::memset(rows.bytes + rows.offsets[i], 0, static_cast<size_t>(null_bytes));
    }
    for (const auto& writer : writers_) writer->Write(rows);
  }
  return EncodedRows{bytes_->data(), offsets, static_cast<int32_t>(row_count)};
}

int64_t UnsafeRowEncoder::BytesBound(const Batch& batch) const {
  const int64_t row_count = batch.selected_count();
  if (row_count == 0) return 0;
  const int64_t first = batch.has_selection() ? batch.selected().front() : 0;
  const int64_t last = batch.has_selection() ? batch.selected().back() : row_count - 1;
  int64_t bytes = row_count * fixed_bytes_;
  for (size_t c = 0; c < writers_.size(); ++c) {
    bytes += row_count * writers_[c]->constant_bytes();
    bytes += writers_[c]->BytesBound(*batch.columns[c], first, last, row_count);
  }
  return bytes;
}

std::vector<Batch> SplitForRows(const UnsafeRowEncoder& encoder, const Batch& batch,
                                int64_t bytes_max) {
  const int64_t row_count = batch.selected_count();
  if (row_count <= 1 || encoder.BytesBound(batch) <= bytes_max) return {batch};
  std::vector<Batch> pieces = SplitForRows(encoder, SliceOf(batch, 0, row_count / 2), bytes_max);
  auto rest =
      SplitForRows(encoder, SliceOf(batch, row_count / 2, row_count - row_count / 2), bytes_max);
  pieces.insert(pieces.end(), rest.begin(), rest.end());
  return pieces;
}

}  // namespace reprise
