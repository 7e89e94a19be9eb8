// What the readers of all types of columns have in common: the field's place in its row, and its
// nulls.
#pragma once

#include <arrow/buffer.h>
#include <arrow/util/bit_util.h>

#include <algorithm>
#include <bit>

#include "plan/unsafe_row.h"
#include "transitions/row_column_reader.h"

namespace reprise {

/// Where a field stands in its row.
struct FieldPlace {
  Field field;
  int64_t null_word;  // number of the null word
  int null_bit;
  int64_t offset;  // of the field's word, in bytes
  int64_t fixed_bytes;
};

inline FieldPlace PlaceOf(const Field& field, int index, int field_count) {
  return {field, index / 64, index % 64, NullBitsBytes(field_count) + index * kRowWordBytes,
          FixedRowBytes(field_count)};
}

/// A column's validity bitmap, made only once a null is seen.
class ValidityBitmap {
 public:
  ValidityBitmap(const FieldPlace& place, arrow::MemoryPool* pool) : place_(place), pool_(pool) {}

  void Begin(int64_t row_count) {
    row_count_ = row_count;
    null_count_ = 0;
    bitmap_ = nullptr;
  }

  // Returns whether the block has a null in this column.
  Result<bool> Append(const RowBlock& block) {
    const bool has_null = (block.null_bits[place_.null_word] >> place_.null_bit) & 1;
    if (!has_null) {
      if (bitmap_) {
        arrow::bit_util::SetBitsTo(bitmap_->mutable_data(), block.first_row, block.rows.size(),
                                   true);
      }
      return false;
    }
    if (!bitmap_) {
      ARROW_ASSIGN_OR_RAISE(
          bitmap_, arrow::AllocateBuffer(arrow::bit_util::BytesForBits(row_count_), pool_));
      arrow::bit_util::SetBitsTo(bitmap_->mutable_data(), 0, block.first_row, true);
    }
    AppendBits(block);
    return true;
  }

  bool IsNull(const uint8_t* row) const {
    return (LoadAs<uint64_t>(row + place_.null_word * kRowWordBytes) >> place_.null_bit) & 1;
  }

  std::shared_ptr<arrow::Buffer> Finish(int64_t* null_count) {
    *null_count = null_count_;
    return std::move(bitmap_);
  }

 private:
  void AppendBits(const RowBlock& block) {
    uint8_t* out = bitmap_->mutable_data() + block.first_row / 8;
    const int64_t count = static_cast<int64_t>(block.rows.size());
    int64_t valid_count = 0;
    for (int64_t i = 0; i < count; i += 8) {
      uint8_t byte = 0;
      for (int64_t j = i; j < std::min(i + 8, count); ++j) {
        byte |= static_cast<uint8_t>(!IsNull(block.rows[j])) << (j - i);
      }
      out[i / 8] = byte;
      valid_count += std::popcount(byte);
    }
    null_count_ += count - valid_count;
  }

  FieldPlace place_;
  arrow::MemoryPool* pool_;
  std::shared_ptr<arrow::Buffer> bitmap_;
  int64_t row_count_ = 0;
  int64_t null_count_ = 0;
};

/// Holds what every reader needs; a derived class reads the values.
class ColumnReader : public RowColumnReader {
 public:
  ColumnReader(FieldPlace place, std::shared_ptr<arrow::DataType> type, arrow::MemoryPool* pool)
      : place_(std::move(place)), type_(std::move(type)), pool_(pool), validity_(place_, pool) {}

 protected:
  Result<std::shared_ptr<arrow::ArrayData>> FinishWith(
      std::vector<std::shared_ptr<arrow::Buffer>> values) {
    int64_t null_count = 0;
    std::vector<std::shared_ptr<arrow::Buffer>> buffers = {validity_.Finish(&null_count)};
    for (auto& buffer : values) buffers.push_back(std::move(buffer));
    return arrow::ArrayData::Make(type_, row_count_, std::move(buffers), null_count);
  }

  FieldPlace place_;
  std::shared_ptr<arrow::DataType> type_;
  arrow::MemoryPool* pool_;
  ValidityBitmap validity_;
  int64_t row_count_ = 0;
};

}  // namespace reprise
