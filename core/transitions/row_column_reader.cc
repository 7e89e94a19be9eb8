#include "transitions/row_column_reader.h"

#include "transitions/row_column_base.h"
#include "transitions/row_variable_reader.h"

namespace reprise {

namespace {

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
  const DataType stored = StoredType(field.type);
  switch (stored.kind) {
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
      if (stored.is_short_decimal()) {
        return New<FixedReader<int64_t>>(std::move(place), std::move(type), pool);
      }
      return MakeLongDecimalReader(std::move(place), std::move(type), pool);
    case TypeKind::kString:
    case TypeKind::kBinary:
      return MakeVariableReader(std::move(place), std::move(type), pool);
    case TypeKind::kOther:
      break;
  }
  return Status::NotImplemented("column ", field.name, ": type ", field.type.ToString(),
                                " has no native form");
}

}  // namespace reprise
