#include "expressions/nulls.h"

#include <arrow/util/bitmap_ops.h>

#include <cstring>

namespace reprise {

namespace {

// The validity bits of an array from bit 0; shared with the array where its offset allows that.
Result<std::shared_ptr<arrow::Buffer>> AlignedValidity(const arrow::Array& array,
                                                       arrow::MemoryPool* pool) {
  const auto& bits = array.data()->buffers[0];
  if (array.offset() == 0) return bits;
  if (array.offset() % 8 == 0) return arrow::SliceBuffer(bits, array.offset() / 8);
  return arrow::internal::CopyBitmap(pool, bits->data(), array.offset(), array.length());
}

}  // namespace

Result<Nulls> UnionOfNulls(std::span<const Column> columns, int64_t row_count,
                           arrow::MemoryPool* pool) {
  Nulls nulls;
  bool combined = false;
  for (const auto& column : columns) {
    if (column.is_scalar() || column.array->null_count() == 0) continue;
    if (nulls.bits == nullptr) {
      ARROW_ASSIGN_OR_RAISE(nulls.bits, AlignedValidity(*column.array, pool));
      nulls.count = column.array->null_count();
      continue;
    }
    const auto& bits = column.array->data()->buffers[0];
    ARROW_ASSIGN_OR_RAISE(nulls.bits,
                          arrow::internal::BitmapAnd(pool, nulls.bits->data(), 0, bits->data(),
                                                     column.array->offset(), row_count, 0));
    combined = true;
  }
  if (combined) {
    nulls.count = row_count - arrow::internal::CountSetBits(nulls.bits->data(), 0, row_count);
  }
  return nulls;
}

Result<Nulls> WithNullAt(const Nulls& nulls, std::span<const int32_t> rows, int64_t row_count,
                         arrow::MemoryPool* pool) {
  if (rows.empty()) return nulls;
  const int64_t bytes = arrow::bit_util::BytesForBits(row_count);
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits, arrow::AllocateBuffer(bytes, pool));
  if (nulls.bits) {
    std::memcpy(bits->mutable_data(), nulls.bits->data(), bytes);
  } else {
    std::memset(bits->mutable_data(), 0xFF, bytes);
  }
  for (int32_t row : rows) arrow::bit_util::ClearBit(bits->mutable_data(), row);
  return Nulls{std::move(bits), nulls.count + static_cast<int64_t>(rows.size())};
}

}  // namespace reprise
