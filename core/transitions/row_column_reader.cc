#include "transitions/row_column_reader.h"

#include <arrow/buffer.h>
#include <arrow/util/bit_util.h>

#include <bit>
#include <limits>

#include "transitions/unsafe_row.h"

namespace reprise {

namespace {

// Where a field stands in its row.
struct FieldPlace {
  Field field;
  int64_t null_word;  // number of the null word
  int null_bit;
  int64_t offset;  // of the field's word, in bytes
  int64_t fixed_bytes;
};

FieldPlace PlaceOf(const Field& field, int index, int field_count) {
  return {field, index / 64, index % 64, NullBitsBytes(field_count) + index * kRowWordBytes,
          FixedRowBytes(field_count)};
}

// A column's validity bitmap, made only once a null is seen.
class Validity {
 public:
  Validity(const FieldPlace& place, arrow::MemoryPool* pool) : place_(place), pool_(pool) {}

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
  Validity validity_;
  int64_t row_count_ = 0;
};

// Values that stand in the field's word and are of a whole number of bytes. What a null's word
// holds does not matter.
template <typename T>
class FixedReader : public ColumnReader {
 public:
  using ColumnReader::ColumnReader;

  Status Begin(int64_t row_count, int64_t) override {
    row_count_ = row_count;
    validity_.Begin(row_count);
    return arrow::AllocateBuffer(row_count * static_cast<int64_t>(sizeof(T)), pool_)
        .Value(&values_);
  }

  Status Append(const RowBlock& block) override {
    RETURN_NOT_OK(validity_.Append(block).status());
    T* out = reinterpret_cast<T*>(values_->mutable_data()) + block.first_row;
    const int64_t offset = place_.offset;
    for (const uint8_t* row : block.rows) *out++ = LoadAs<T>(row + offset);
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::ArrayData>> Finish() override {
    return FinishWith({std::move(values_)});
  }

 private:
  std::unique_ptr<arrow::Buffer> values_;
};

class BooleanReader : public ColumnReader {
 public:
  using ColumnReader::ColumnReader;

  Status Begin(int64_t row_count, int64_t) override {
    row_count_ = row_count;
    validity_.Begin(row_count);
    return arrow::AllocateBuffer(arrow::bit_util::BytesForBits(row_count), pool_).Value(&bits_);
  }

  Status Append(const RowBlock& block) override {
    RETURN_NOT_OK(validity_.Append(block).status());
    uint8_t* out = bits_->mutable_data() + block.first_row / 8;
    const int64_t count = static_cast<int64_t>(block.rows.size());
    for (int64_t i = 0; i < count; i += 8) {
      uint8_t byte = 0;
      for (int64_t j = i; j < std::min(i + 8, count); ++j) {
        byte |= static_cast<uint8_t>(block.rows[j][place_.offset] != 0) << (j - i);
      }
      out[i / 8] = byte;
    }
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::ArrayData>> Finish() override {
    return FinishWith({std::move(bits_)});
  }

 private:
  std::unique_ptr<arrow::Buffer> bits_;
};

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

// Columns of type void: every row is null.
class NullReader : public ColumnReader {
 public:
  using ColumnReader::ColumnReader;
  Status Begin(int64_t row_count, int64_t) override {
    row_count_ = row_count;
    return Status::OK();
  }
  Status Append(const RowBlock&) override { return Status::OK(); }
  Result<std::shared_ptr<arrow::ArrayData>> Finish() override {
    return arrow::ArrayData::Make(type_, row_count_, {nullptr}, row_count_);
  }
};

template <typename Reader>
std::unique_ptr<RowColumnReader> New(FieldPlace place, std::shared_ptr<arrow::DataType> type,
                                     arrow::MemoryPool* pool) {
  return std::make_unique<Reader>(std::move(place), std::move(type), pool);
}

}  // namespace

Result<std::unique_ptr<RowColumnReader>> MakeRowColumnReader(const Field& field, int index,
                                                             int field_count,
                                                             arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(field.type));
  FieldPlace place = PlaceOf(field, index, field_count);
  switch (field.type.kind) {
    case TypeKind::kNull:
      return New<NullReader>(std::move(place), std::move(type), pool);
    case TypeKind::kBoolean:
      return New<BooleanReader>(std::move(place), std::move(type), pool);
    case TypeKind::kByte:
      return New<FixedReader<int8_t>>(std::move(place), std::move(type), pool);
    case TypeKind::kShort:
      return New<FixedReader<int16_t>>(std::move(place), std::move(type), pool);
    case TypeKind::kInteger:
    case TypeKind::kDate:
    case TypeKind::kFloat:  // as its bits, so that a NaN keeps them
      return New<FixedReader<int32_t>>(std::move(place), std::move(type), pool);
    case TypeKind::kLong:
    case TypeKind::kDouble:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return New<FixedReader<int64_t>>(std::move(place), std::move(type), pool);
    case TypeKind::kDecimal:
      if (field.type.is_short_decimal()) {
        return New<FixedReader<int64_t>>(std::move(place), std::move(type), pool);
      }
      return New<LongDecimalReader>(std::move(place), std::move(type), pool);
    case TypeKind::kString:
    case TypeKind::kBinary:
      return New<VariableReader>(std::move(place), std::move(type), pool);
    case TypeKind::kOther:
      break;
  }
  return Status::NotImplemented("column ", field.name, ": type ", field.type.ToString(),
                                " has no native form");
}

}  // namespace reprise
