#include "transitions/row_variable_reader.h"

#include <limits>

namespace reprise {

namespace {

// A value of the variable part. Padding included, it lies behind the row's fixed part and inside
// the row, except that a value of no bytes may stand anywhere.
struct VariableValue {
  explicit VariableValue(uint64_t word) : offset(word >> 32), size(static_cast<uint32_t>(word)) {}
  bool OutsideOf(int64_t fixed_bytes, int64_t row_bytes) const {
    return size != 0 && (offset < fixed_bytes || offset + RoundUpToWord(size) > row_bytes);
  }
  int64_t offset;
  int64_t size;
};

Status OutsideRow(const FieldPlace& place, const RowBlock& block, int64_t i) {
  const VariableValue value(LoadAs<uint64_t>(block.rows[i] + place.offset));
  return Status::Invalid("row ", block.first_row + i, ", column ", place.field.name, " (",
                         place.field.type.ToString(), "): the value's ", value.size,
                         " bytes at offset ", value.offset,
                         " lie outside the variable part of the row, which is from ",
                         place.fixed_bytes, " to ", block.lengths[i]);
}

// Copies `size` bytes in whole words; reads and writes up to 7 bytes more.
inline void CopyWords(uint8_t* to, const uint8_t* from, int64_t size) {
  constexpr int64_t kShortBytes = 32;  // above, the call of memcpy pays
  if (size > kShortBytes) {
    std::memcpy(to, from, size);
    return;
  }
  for (int64_t i = 0; i < size; i += kRowWordBytes) {
    std::memcpy(to + i, from + i, kRowWordBytes);
  }
}

// Strings and binary values.
class VariableReader : public ColumnReader {
 public:
  using ColumnReader::ColumnReader;

  Status Begin(int64_t row_count, int64_t row_bytes) override {
    row_count_ = row_count;
    validity_.Begin(row_count);
    data_bytes_ = 0;
    RETURN_NOT_OK(
        arrow::AllocateBuffer((row_count + 1) * static_cast<int64_t>(sizeof(int32_t)), pool_)
            .Value(&offsets_));
    offsets()[0] = 0;
    // Half of the variable parts: exact for rows of two strings alike, one reallocation for a
    // single string.
    const int64_t variable_bytes = std::max<int64_t>(row_bytes - row_count * place_.fixed_bytes, 0);
    ARROW_ASSIGN_OR_RAISE(data_, arrow::AllocateResizableBuffer(0, pool_));
    return data_->Reserve(variable_bytes / 2 + kRowWordBytes);
  }

  Status Append(const RowBlock& block) override {
    ARROW_ASSIGN_OR_RAISE(const bool has_null, validity_.Append(block));
    const int64_t bytes_before = data_bytes_;
    RETURN_NOT_OK(has_null ? AppendOffsets<true>(block) : AppendOffsets<false>(block));
    RETURN_NOT_OK(EnsureCapacity(data_bytes_ + kRowWordBytes));
    uint8_t* out = data_->mutable_data() + bytes_before;
    const int32_t* ends = offsets() + block.first_row + 1;
    int64_t begin = bytes_before;
    for (size_t i = 0; i < block.rows.size(); ++i) {
      const int64_t size = ends[i] - begin;
      begin = ends[i];
      if (size == 0) continue;
      const uint8_t* row = block.rows[i];
      CopyWords(out, row + LoadAs<uint32_t>(row + place_.offset + 4), size);
      out += size;
    }
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::ArrayData>> Finish() override {
    RETURN_NOT_OK(data_->Resize(data_bytes_, /*shrink_to_fit=*/false));
    return FinishWith({std::move(offsets_), std::move(data_)});
  }

 private:
  int32_t* offsets() { return reinterpret_cast<int32_t*>(offsets_->mutable_data()); }

  template <bool kHasNull>
  Status AppendOffsets(const RowBlock& block) {
    int32_t* ends = offsets() + block.first_row + 1;
    int64_t end = data_bytes_;
    bool outside = false;
    for (size_t i = 0; i < block.rows.size(); ++i) {
      VariableValue value(LoadAs<uint64_t>(block.rows[i] + place_.offset));
      if (kHasNull && validity_.IsNull(block.rows[i])) value.size = 0;
      outside |= value.OutsideOf(place_.fixed_bytes, block.lengths[i]);
      end += value.size;
      ends[i] = static_cast<int32_t>(end);
    }
    if (outside) return FindOutside(block);
    if (end > std::numeric_limits<int32_t>::max()) {
      return Status::CapacityError("column ", place_.field.name,
                                   ": the values of one batch need more than 2 GB");
    }
    data_bytes_ = end;
    return Status::OK();
  }

  Status FindOutside(const RowBlock& block) const {
    for (size_t i = 0; i < block.rows.size(); ++i) {
      const VariableValue value(LoadAs<uint64_t>(block.rows[i] + place_.offset));
      if (!validity_.IsNull(block.rows[i]) &&
          value.OutsideOf(place_.fixed_bytes, block.lengths[i])) {
        return OutsideRow(place_, block, static_cast<int64_t>(i));
      }
    }
    return Status::OK();
  }

  Status EnsureCapacity(int64_t bytes) {
    if (bytes <= data_->capacity()) return Status::OK();
    return data_->Reserve(std::max(bytes, data_->capacity() * 2));
  }

  std::unique_ptr<arrow::Buffer> offsets_;
  std::unique_ptr<arrow::ResizableBuffer> data_;
  int64_t data_bytes_ = 0;
};

// Decimals of more than 18 digits.
class LongDecimalReader : public ColumnReader {
 public:
  using ColumnReader::ColumnReader;

  Status Begin(int64_t row_count, int64_t) override {
    row_count_ = row_count;
    validity_.Begin(row_count);
    return arrow::AllocateBuffer(row_count * kLongDecimalBytes, pool_).Value(&values_);
  }

  Status Append(const RowBlock& block) override {
    ARROW_ASSIGN_OR_RAISE(const bool has_null, validity_.Append(block));
    auto* out = reinterpret_cast<__int128*>(values_->mutable_data()) + block.first_row;
    for (size_t i = 0; i < block.rows.size(); ++i, ++out) {
      const uint8_t* row = block.rows[i];
      if (has_null && validity_.IsNull(row)) {
        *out = 0;
        continue;
      }
      const VariableValue value(LoadAs<uint64_t>(row + place_.offset));
      if (value.size == 0 || value.size > kLongDecimalBytes) {
        return Status::Invalid("row ", block.first_row + i, ", column ", place_.field.name, " (",
                               place_.field.type.ToString(), "): a value of ", value.size,
                               " bytes; expected 1 to 16");
      }
      if (value.OutsideOf(place_.fixed_bytes, block.lengths[i])) {
        return OutsideRow(place_, block, static_cast<int64_t>(i));
      }
      *out = FromBigEndian(row + value.offset, value.size);
    }
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::ArrayData>> Finish() override {
    return FinishWith({std::move(values_)});
  }

 private:
  // The words that `size` bytes lie in are readable; shifting drops what follows the value and
  // extends its sign.
  static __int128 FromBigEndian(const uint8_t* bytes, int64_t size) {
    const uint64_t first = __builtin_bswap64(LoadAs<uint64_t>(bytes));
    if (size <= kRowWordBytes) return static_cast<int64_t>(first) >> (8 * (kRowWordBytes - size));
    const uint64_t second = __builtin_bswap64(LoadAs<uint64_t>(bytes + kRowWordBytes));
    const auto whole =
        static_cast<__int128>((static_cast<unsigned __int128>(first) << 64) | second);
    return whole >> (8 * (kLongDecimalBytes - size));
  }

  std::unique_ptr<arrow::Buffer> values_;
};

}  // namespace

std::unique_ptr<RowColumnReader> MakeVariableReader(FieldPlace place,
                                                    std::shared_ptr<arrow::DataType> type,
                                                    arrow::MemoryPool* pool) {
  return std::make_unique<VariableReader>(std::move(place), std::move(type), pool);
}

std::unique_ptr<RowColumnReader> MakeLongDecimalReader(FieldPlace place,
                                                       std::shared_ptr<arrow::DataType> type,
                                                       arrow::MemoryPool* pool) {
  return std::make_unique<LongDecimalReader>(std::move(place), std::move(type), pool);
}

}  // namespace reprise
