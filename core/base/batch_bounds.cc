#include "base/batch_bounds.h"

#include <arrow/type_traits.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/value_errors.h"

namespace reprise {

namespace {

constexpr int64_t kOffsetBytes = sizeof(int32_t);
// Not worth being measured.
constexpr int64_t kSmallBytes = int64_t{64} << 10;

}  // namespace

void RowWidths::Add(const arrow::ArrayData& data) {
  switch (data.type->id()) {
    case arrow::Type::NA:
      return;
    case arrow::Type::BOOL:
      fixed_bytes_ += 1;
      return;
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      fixed_bytes_ += kOffsetBytes;
      if (data.length > 0) {
        strings_.push_back({data.GetValues<int32_t>(1), nullptr, data.length});
      }
      return;
    case arrow::Type::DICTIONARY:
      fixed_bytes_ += kOffsetBytes;
      if (data.length > 0 && data.dictionary->length > 0) {
        strings_.push_back({data.dictionary->GetValues<int32_t>(1), data.GetValues<int32_t>(1),
                            data.dictionary->length});
      }
      return;
    default:
      REPRISE_CHECK(arrow::is_fixed_width(data.type->id()), "a column of {}",
                    data.type->ToString());
      fixed_bytes_ += data.type->bit_width() / 8;
  }
}

int64_t RowWidths::Strings::BytesOf(int64_t begin, int64_t end) const {
  if (indices == nullptr) return offsets[end] - offsets[begin];
  int64_t bytes = 0;
  for (int64_t row = begin; row < end; ++row) bytes += LengthOf(row);
  return bytes;
}

int64_t RowWidths::Strings::Longest() const {
  int64_t longest = 0;
  for (int64_t value = 0; value < value_count; ++value) {
    longest = std::max<int64_t>(longest, offsets[value + 1] - offsets[value]);
  }
  return longest;
}

int64_t RowWidths::BytesOf(int64_t begin, int64_t end) const {
  int64_t bytes = fixed_bytes_ * (end - begin);
  for (const Strings& strings : strings_) bytes += strings.BytesOf(begin, end);
  return bytes;
}

int64_t RowWidths::LongestRow() const {
  int64_t bytes = fixed_bytes_;
  for (const Strings& strings : strings_) bytes += strings.Longest();
  return bytes;
}

int64_t RowWidths::BoundOf(int64_t begin, int64_t end, int64_t count) const {
  int64_t bytes = fixed_bytes_ * count;
  for (const Strings& strings : strings_) {
    const bool is_small = strings.indices != nullptr && strings.value_count <= count;
    bytes += is_small ? strings.Longest() * count : strings.BytesOf(begin, end);
  }
  return bytes;
}

namespace {

int64_t PhysicalRow(const Batch& batch, int64_t place) {
  return batch.has_selection() ? batch.selected()[place] : place;
}

int64_t PlainBytes(const Batch& batch, const RowWidths& widths) {
  const int64_t count = batch.selected_count();
  if (widths.is_fixed()) return widths.fixed_bytes() * count;
  if (!batch.has_selection()) return widths.BytesOf(0, count);
  int64_t bytes = 0;
  for (int64_t i = 0; i < count; ++i) bytes += widths[PhysicalRow(batch, i)];
  return bytes;
}

}  // namespace

int64_t PlainBytes(const Batch& batch) { return PlainBytes(batch, RowWidths(batch.columns)); }

int64_t OwnBytes(const arrow::ArrayData& column) {
  int64_t bytes = 0;
  for (const auto& buffer : column.buffers) bytes += buffer ? buffer->size() : 0;
  // A byte a row for the validity is more than enough.
  const int64_t rows = column.length;
  if (column.type->id() == arrow::Type::DICTIONARY) {
    return std::min(bytes, (kOffsetBytes + 1) * rows);
  }
  RowWidths widths;
  widths.Add(column);
  return std::min(bytes, widths.BytesOf(0, rows) + rows);
}

int64_t CopyBytes(const Batch& batch) {
  const int64_t bytes = ByteSize(batch);
  return bytes <= kSmallBytes ? bytes : std::min(bytes, PlainBytes(batch));
}

bool IsWithin(const Batch& batch, const BatchBounds& bounds) {
  const int64_t count = batch.selected_count();
  if (count <= 1) return true;
  if (count > bounds.rows) return false;
  const RowWidths widths(batch.columns);
  const int64_t begin = PhysicalRow(batch, 0);
  const int64_t end = PhysicalRow(batch, count - 1) + 1;
  return widths.BoundOf(begin, end, count) <= bounds.bytes ||
         PlainBytes(batch, widths) <= bounds.bytes;
}

Result<Batch> PieceOf(const Batch& batch, int64_t begin, int64_t count, arrow::MemoryPool* pool) {
  Batch slice{batch.schema, {}, count, nullptr};
  int64_t first = begin;
  if (batch.has_selection() && count > 0) {
    // Only the rows from the first of them to the last, so that nobody goes through the others for
    // each piece.
    const auto rows = batch.selected().subspan(begin, count);
    first = rows.front();
    slice.row_count = rows.back() - first + 1;
    if (slice.row_count > count) {
      ARROW_ASSIGN_OR_RAISE(
          slice.selection,
          arrow::AllocateBuffer(count * static_cast<int64_t>(sizeof(int32_t)), pool));
      auto* out = reinterpret_cast<int32_t*>(slice.selection->mutable_data());
      for (const int32_t row : rows) *out++ = row - static_cast<int32_t>(first);
    }
  }
  slice.errors = ErrorsOfRows(batch, first, slice.row_count);
  slice.columns.reserve(batch.columns.size());
  for (const auto& column : batch.columns) {
    slice.columns.push_back(column->Slice(first, slice.row_count));
  }
  return slice;
}

void BatchCutter::Start(Batch batch) {
  position_ = 0;
  batch_.reset();
  if (batch.selected_count() == 0) return;
  batch_ = std::move(batch);
  widths_ = RowWidths(batch_->columns);
}

Result<Batch> BatchCutter::Next(const BatchBounds& bounds, arrow::MemoryPool* pool) {
  const int64_t left = batch_->selected_count() - position_;
  int64_t count = std::clamp<int64_t>(bounds.rows, 1, left);
  if (widths_.is_fixed()) {
    if (widths_.fixed_bytes() > 0) {
      count = std::clamp<int64_t>(bounds.bytes / widths_.fixed_bytes(), 1, count);
    }
  } else {
    int64_t bytes = widths_[PhysicalRow(*batch_, position_)];
    for (int64_t i = 1; i < count; ++i) {
      bytes += widths_[PhysicalRow(*batch_, position_ + i)];
      if (bytes > bounds.bytes) count = i;
    }
  }
  if (count == batch_->selected_count()) return *std::exchange(batch_, std::nullopt);
  ARROW_ASSIGN_OR_RAISE(Batch piece, PieceOf(*batch_, position_, count, pool));
  position_ += count;
  if (count == left) batch_.reset();
  return piece;
}

}  // namespace reprise
