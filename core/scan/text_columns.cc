#include "scan/text_columns.h"

#include <arrow/buffer.h>
#include <arrow/util/bit_util.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "base/check.h"
#include "expressions/json_values.h"
#include "expressions/plain_text.h"
#include "vocabulary/text_types.h"

namespace reprise {

namespace {

using BufferPtr = std::shared_ptr<arrow::ResizableBuffer>;

/// Which rows of a batch have a value; a byte each.
class Validity {
 public:
  explicit Validity(arrow::MemoryPool* pool) : pool_(pool) {}

  Status Begin(int64_t rows_max) {
    return arrow::AllocateResizableBuffer(rows_max, pool_).Value(&bytes_);
  }
  void Set(int64_t row, bool is_valid) { bytes_->mutable_data()[row] = is_valid ? 1 : 0; }

  /// As a bitmap; null where every row has a value.
  Result<std::shared_ptr<arrow::Buffer>> Finish(int64_t rows, int64_t* null_count) const {
    const uint8_t* const valid = bytes_->data();
    *null_count = std::count(valid, valid + rows, uint8_t{0});
    if (*null_count == 0) return nullptr;
    ARROW_ASSIGN_OR_RAISE(auto bits, arrow::AllocateEmptyBitmap(rows, pool_));
    uint8_t* const out = bits->mutable_data();
    for (int64_t row = 0; row < rows; ++row) {
      if (valid[row] != 0) arrow::bit_util::SetBit(out, row);
    }
    return bits;
  }

 private:
  arrow::MemoryPool* pool_;
  BufferPtr bytes_;
};

/// Values of one width. Read: std::optional<Value>(std::string_view).
template <typename Value, typename Read>
class FixedColumn final : public TextColumn {
 public:
  FixedColumn(std::shared_ptr<arrow::DataType> type, Read read, arrow::MemoryPool* pool)
      : type_(std::move(type)), read_(std::move(read)), pool_(pool), validity_(pool) {}

  Status Begin(int64_t rows_max) override {
    RETURN_NOT_OK(validity_.Begin(rows_max));
    const auto bytes = rows_max * static_cast<int64_t>(sizeof(Value));
    return arrow::AllocateResizableBuffer(bytes, pool_).Value(&values_);
  }

  Status PutNull(int64_t row) override {
    Set(row, Value{});
    validity_.Set(row, false);
    return Status::OK();
  }

  Result<bool> Put(int64_t row, std::string_view text) override {
    const std::optional<Value> value = read_(text);
    if (!value) return false;
    Set(row, *value);
    validity_.Set(row, true);
    return true;
  }

  Result<std::shared_ptr<arrow::Array>> Finish(int64_t rows) override {
    int64_t null_count = 0;
    ARROW_ASSIGN_OR_RAISE(auto validity, validity_.Finish(rows, &null_count));
    RETURN_NOT_OK(values_->Resize(rows * static_cast<int64_t>(sizeof(Value))));
    std::shared_ptr<arrow::Buffer> values = std::move(values_);
    if constexpr (std::is_same_v<Value, bool>) {
      ARROW_ASSIGN_OR_RAISE(values, BitsOf(*values, rows));
    }
    return arrow::MakeArray(
        arrow::ArrayData::Make(type_, rows, {std::move(validity), std::move(values)}, null_count));
  }

 private:
  void Set(int64_t row, Value value) {
    std::memcpy(values_->mutable_data() + row * sizeof(Value), &value, sizeof(Value));
  }

  Result<std::shared_ptr<arrow::Buffer>> BitsOf(const arrow::Buffer& bytes, int64_t rows) const {
    ARROW_ASSIGN_OR_RAISE(auto bits, arrow::AllocateEmptyBitmap(rows, pool_));
    uint8_t* const out = bits->mutable_data();
    for (int64_t row = 0; row < rows; ++row) {
      if (bytes.data()[row] != 0) arrow::bit_util::SetBit(out, row);
    }
    return bits;
  }

  const std::shared_ptr<arrow::DataType> type_;
  const Read read_;
  arrow::MemoryPool* const pool_;
  Validity validity_;
  BufferPtr values_;
};

class StringColumn final : public TextColumn {
 public:
  StringColumn(std::shared_ptr<arrow::DataType> type, arrow::MemoryPool* pool)
      : type_(std::move(type)), pool_(pool), validity_(pool) {}

  Status Begin(int64_t rows_max) override {
    RETURN_NOT_OK(validity_.Begin(rows_max));
    const auto bytes = (rows_max + 1) * static_cast<int64_t>(sizeof(int32_t));
    ARROW_ASSIGN_OR_RAISE(offsets_, arrow::AllocateResizableBuffer(bytes, pool_));
    offsets()[0] = 0;
    return arrow::AllocateResizableBuffer(std::max(rows_max * 8, last_bytes_), pool_)
        .Value(&values_);
  }

  Status PutNull(int64_t row) override {
    validity_.Set(row, false);
    offsets()[row + 1] = offsets()[row];
    return Status::OK();
  }

  Result<bool> Put(int64_t row, std::string_view text) override {
    const int64_t begin = offsets()[row];
    const int64_t end = begin + static_cast<int64_t>(text.size());
    if (end > std::numeric_limits<int32_t>::max()) return false;
    if (end > values_->size()) {
      RETURN_NOT_OK(values_->Resize(std::max(end, values_->size() * 2), /*shrink_to_fit=*/false));
    }
    std::memcpy(values_->mutable_data() + begin, text.data(), text.size());
    offsets()[row + 1] = static_cast<int32_t>(end);
    validity_.Set(row, true);
    return true;
  }

  Result<std::shared_ptr<arrow::Array>> Finish(int64_t rows) override {
    int64_t null_count = 0;
    ARROW_ASSIGN_OR_RAISE(auto validity, validity_.Finish(rows, &null_count));
    last_bytes_ = offsets()[rows];
    RETURN_NOT_OK(values_->Resize(last_bytes_));
    RETURN_NOT_OK(offsets_->Resize((rows + 1) * static_cast<int64_t>(sizeof(int32_t))));
    return arrow::MakeArray(arrow::ArrayData::Make(
        type_, rows, {std::move(validity), std::move(offsets_), std::move(values_)}, null_count));
  }

 private:
  int32_t* offsets() { return reinterpret_cast<int32_t*>(offsets_->mutable_data()); }

  const std::shared_ptr<arrow::DataType> type_;
  arrow::MemoryPool* const pool_;
  Validity validity_;
  BufferPtr offsets_;
  BufferPtr values_;
  int64_t last_bytes_ = 0;  // of the last batch's values: the next one has about as many
};

/// Objects and arrays of JSON, as the bytes that Spark's rows have of them.
class JsonColumn final : public TextColumn {
 public:
  JsonColumn(NestedType type, const ZoneRules& zone, arrow::MemoryPool* pool)
      : reader_(std::move(type), zone), values_(arrow::binary(), pool) {}

  Status Begin(int64_t rows_max) override { return values_.Begin(rows_max); }
  Status PutNull(int64_t row) override { return values_.PutNull(row); }
  Result<bool> Put(int64_t row, std::string_view text) override {
    bytes_.clear();
    if (!reader_.Read(text, &bytes_)) return false;
    return values_.Put(row, bytes_);
  }
  Result<std::shared_ptr<arrow::Array>> Finish(int64_t rows) override {
    return values_.Finish(rows);
  }

 private:
  JsonValueReader reader_;
  StringColumn values_;
  std::string bytes_;  // of a value
};

template <typename Value, typename Read>
std::unique_ptr<TextColumn> Fixed(const DataType& type, arrow::MemoryPool* pool, Read read) {
  return std::make_unique<FixedColumn<Value, Read>>(ToArrow(type).ValueOrDie(), std::move(read),
                                                    pool);
}

template <typename Value>
std::unique_ptr<TextColumn> Integers(const DataType& type, arrow::MemoryPool* pool) {
  return Fixed<Value>(type, pool, [](std::string_view text) -> std::optional<Value> {
    const auto value = ReadPlainInteger(text);
    if (!value || *value != static_cast<Value>(*value)) return std::nullopt;
    return static_cast<Value>(*value);
  });
}

template <typename Value>
std::unique_ptr<TextColumn> Decimals(const DataType& type, arrow::MemoryPool* pool) {
  return Fixed<Value>(type, pool,
                      [precision = type.precision,
                       scale = type.scale](std::string_view text) -> std::optional<Value> {
                        const auto value = ReadPlainDecimal(text, precision, scale);
                        if (!value) return std::nullopt;
                        return static_cast<Value>(*value);
                      });
}

}  // namespace

std::unique_ptr<TextColumn> MakeTextColumn(const DataType& type, const ZoneRules& zone,
                                           arrow::MemoryPool* pool) {
  switch (type.kind) {
    case TypeKind::kByte:
      return Integers<int8_t>(type, pool);
    case TypeKind::kShort:
      return Integers<int16_t>(type, pool);
    case TypeKind::kInteger:
      return Integers<int32_t>(type, pool);
    case TypeKind::kLong:
      return Integers<int64_t>(type, pool);
    case TypeKind::kFloat:
      return Fixed<float>(type, pool, ReadPlainFloat);
    case TypeKind::kDouble:
      return Fixed<double>(type, pool, ReadPlainDouble);
    case TypeKind::kBoolean:
      return Fixed<bool>(type, pool, ReadPlainBoolean);
    case TypeKind::kDecimal:
      return type.is_short_decimal() ? Decimals<int64_t>(type, pool)
                                     : Decimals<__int128>(type, pool);
    case TypeKind::kDate:
      return Fixed<int32_t>(type, pool, ReadPlainDate);
    case TypeKind::kTimestamp:
      return Fixed<int64_t>(
          type, pool, [&zone](std::string_view text) { return ReadPlainTimestamp(text, &zone); });
    case TypeKind::kTimestampNtz:
      return Fixed<int64_t>(
          type, pool, [](std::string_view text) { return ReadPlainTimestamp(text, nullptr); });
    case TypeKind::kOther: {
      auto tree = JsonTextTree(type);
      REPRISE_CHECK(tree.has_value(), "text is read as {}", type.ToString());
      return std::make_unique<JsonColumn>(*std::move(tree), zone, pool);
    }
    default:
      REPRISE_CHECK(type.is(TypeKind::kString), "text is read as {}", type.ToString());
      return std::make_unique<StringColumn>(ToArrow(type).ValueOrDie(), pool);
  }
}

}  // namespace reprise
