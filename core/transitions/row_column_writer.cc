#include "transitions/row_column_writer.h"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_dict.h>
#include <arrow/util/bit_util.h>

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "plan/unsafe_row.h"

namespace reprise {

namespace {

// Physical rows of the rows that count.
struct AllRows {
  int64_t operator[](int64_t position) const { return position; }
};
struct SelectedRows {
  const int32_t* selection;
  int64_t operator[](int64_t position) const { return selection[position]; }
};

// Calls `function` with the way to pick rows, so that loops are compiled for both.
template <typename Function>
void WithRows(const int32_t* selection, Function&& function) {
  if (selection) {
    function(SelectedRows{selection});
  } else {
    function(AllRows{});
  }
}

class ColumnWriter : public RowColumnWriter {
 public:
  ColumnWriter(Field field, std::shared_ptr<arrow::DataType> type, int index, int field_count)
      : field_(std::move(field)),
        type_(std::move(type)),
        null_bit_(index),
        offset_(NullBitsBytes(field_count) + index * kRowWordBytes) {}

  void Begin(const arrow::Array& column) override {
    REPRISE_CHECK(column.type()->Equals(*type_), "column {} has type {}, expected {}", field_.name,
                  column.type()->ToString(), type_->ToString());
    Use(column);
  }

 protected:
  void Use(const arrow::Array& column) {
    column_ = &column;
    validity_ = column.null_bitmap_data();
    validity_offset_ = column.offset();
    has_nulls_ = validity_ != nullptr && column.null_count() != 0;
  }

  bool IsNull(int64_t row) const {
    return has_nulls_ && !arrow::bit_util::GetBit(validity_, validity_offset_ + row);
  }

  void SetNull(uint8_t* row) const { row[null_bit_ / 8] |= uint8_t{1} << (null_bit_ % 8); }

  // Marks the nulls of a column whose values have been written for all rows alike.
  template <typename Rows>
  void WriteNulls(const Rows& physical, const RowsToWrite& rows) const {
    if (!has_nulls_) return;
    for (int64_t i = 0; i < rows.count; ++i) {
      if (!IsNull(physical[rows.first + i])) continue;
      uint8_t* row = rows.bytes + rows.offsets[i];
      SetNull(row);
      StoreAs<uint64_t>(row + offset_, 0);
    }
  }

  Field field_;
  std::shared_ptr<arrow::DataType> type_;
  const arrow::Array* column_ = nullptr;
  int null_bit_;
  int64_t offset_;
  const uint8_t* validity_ = nullptr;
  int64_t validity_offset_ = 0;
  bool has_nulls_ = false;
};

// Values that stand in the field's word; T is unsigned, so that the bytes above a value are zero.
template <typename T>
class FixedWriter : public ColumnWriter {
 public:
  using ColumnWriter::ColumnWriter;

  void Write(const RowsToWrite& rows) const override {
    const T* values = column_->data()->GetValues<T>(1);
    WithRows(rows.selection, [&](auto physical) {
      for (int64_t i = 0; i < rows.count; ++i) {
        StoreAs<uint64_t>(rows.bytes + rows.offsets[i] + offset_, values[physical[rows.first + i]]);
      }
      WriteNulls(physical, rows);
    });
  }
};

class BooleanWriter : public ColumnWriter {
 public:
  using ColumnWriter::ColumnWriter;

  void Write(const RowsToWrite& rows) const override {
    const uint8_t* bits = column_->data()->GetValues<uint8_t>(1, 0);
    const int64_t bit_offset = column_->offset();
    WithRows(rows.selection, [&](auto physical) {
      for (int64_t i = 0; i < rows.count; ++i) {
        const bool value = arrow::bit_util::GetBit(bits, bit_offset + physical[rows.first + i]);
        StoreAs<uint64_t>(rows.bytes + rows.offsets[i] + offset_, value);
      }
      WriteNulls(physical, rows);
    });
  }
};

class LongDecimalWriter : public ColumnWriter {
 public:
  using ColumnWriter::ColumnWriter;
  int64_t constant_bytes() const override { return kLongDecimalBytes; }

  void Write(const RowsToWrite& rows) const override {
    const auto* values =
        column_->data()->GetValues<uint8_t>(1, 0) + column_->offset() * kLongDecimalBytes;
    WithRows(rows.selection, [&](auto physical) {
      for (int64_t i = 0; i < rows.count; ++i) {
        const int64_t source = physical[rows.first + i];
        uint8_t* row = rows.bytes + rows.offsets[i];
        const auto offset = static_cast<uint64_t>(rows.variable_ends[i]);
        rows.variable_ends[i] += static_cast<int32_t>(kLongDecimalBytes);
        uint64_t size = 0;
        if (IsNull(source)) {
          SetNull(row);
          std::memset(row + offset, 0, kLongDecimalBytes);
        } else {
          size =
              StoreBigEndian(LoadAs<__int128>(values + source * kLongDecimalBytes), row + offset);
        }
        StoreAs<uint64_t>(row + offset_, offset << 32 | size);
      }
    });
  }
};

// Strings and binary values, plain or dictionary-encoded.
class VariableWriter : public ColumnWriter {
 public:
  using ColumnWriter::ColumnWriter;
  bool has_variable_bytes() const override { return true; }

  void Begin(const arrow::Array& column) override {
    indices_ = nullptr;
    if (column.type_id() != arrow::Type::DICTIONARY) {
      ColumnWriter::Begin(column);
      UseValues(column);
      return;
    }
    const auto& encoded = static_cast<const arrow::DictionaryArray&>(column);
    const arrow::Array& dictionary = *encoded.dictionary();
    REPRISE_CHECK(encoded.indices()->type_id() == arrow::Type::INT32 &&
                      dictionary.type()->Equals(*type_) && dictionary.null_count() == 0,
                  "column {} has type {}, expected int32 indices into {} without nulls",
                  field_.name, column.type()->ToString(), type_->ToString());
    Use(column);
    UseValues(dictionary);
    indices_ = encoded.data()->GetValues<int32_t>(1);
  }

  void AddBytes(const int32_t* selection, int64_t first, std::span<int64_t> sizes) const override {
    WithValues(selection, [&](auto physical, auto value_of) {
      const auto count = static_cast<int64_t>(sizes.size());
      for (int64_t i = 0; i < count; ++i) {
        const int64_t row = physical[first + i];
        if (!IsNull(row)) sizes[i] += RoundUpToWord(SizeOf(value_of(row)));
      }
    });
  }

  void Write(const RowsToWrite& rows) const override {
    WithValues(rows.selection, [&](auto physical, auto value_of) {
      for (int64_t i = 0; i < rows.count; ++i) {
        const int64_t source = physical[rows.first + i];
        uint8_t* row = rows.bytes + rows.offsets[i];
        if (IsNull(source)) {
          SetNull(row);
          StoreAs<uint64_t>(row + offset_, 0);
          continue;
        }
        const int64_t value = value_of(source);
        const int64_t size = SizeOf(value);
        const auto offset = static_cast<uint64_t>(rows.variable_ends[i]);
        StoreAs<uint64_t>(row + offset_, offset << 32 | static_cast<uint64_t>(size));
        CopyPadded(data_ + value_offsets_[value], size, row + offset);
        rows.variable_ends[i] += static_cast<int32_t>(RoundUpToWord(size));
      }
    });
  }

  int64_t BytesBound(const arrow::Array& column, int64_t first, int64_t last,
                     int64_t count) const override {
    constexpr int64_t kPadding = kRowWordBytes - 1;
    if (column.type_id() == arrow::Type::DICTIONARY) {
      const auto& dictionary = *static_cast<const arrow::DictionaryArray&>(column).dictionary();
      const int32_t* offsets = dictionary.data()->GetValues<int32_t>(1);
      int64_t longest = 0;
      for (int64_t i = 0; i < dictionary.length(); ++i) {
        longest = std::max<int64_t>(longest, offsets[i + 1] - offsets[i]);
      }
      return count * (longest + kPadding);
    }
    const int32_t* offsets = column.data()->GetValues<int32_t>(1);
    return offsets[last + 1] - offsets[first] + count * kPadding;
  }

 private:
  void UseValues(const arrow::Array& values) {
    value_offsets_ = values.data()->GetValues<int32_t>(1);
    const auto& buffer = values.data()->buffers[2];
    data_ = buffer ? buffer->data() : nullptr;
    data_end_ = buffer ? buffer->data() + buffer->size() : nullptr;
  }

  int64_t SizeOf(int64_t value) const { return value_offsets_[value + 1] - value_offsets_[value]; }

  template <typename Function>
  void WithValues(const int32_t* selection, Function&& function) const {
    WithRows(selection, [&](auto physical) {
      if (indices_) {
        function(physical, [this](int64_t row) -> int64_t { return indices_[row]; });
      } else {
        function(physical, [](int64_t row) { return row; });
      }
    });
  }

  // Copies a value and the zeros after it, in whole words where the column's buffer has bytes to
  // read behind it.
  void CopyPadded(const uint8_t* from, int64_t size, uint8_t* to) const {
    constexpr int64_t kShortBytes = 32;  // above, the call of memcpy pays
    if (size == 0) return;
    const int64_t whole = RoundUpToWord(size);
    const int64_t last = whole - kRowWordBytes;
    if (size > kShortBytes || data_end_ - from < whole) {
      StoreAs<uint64_t>(to + last, 0);
      std::memcpy(to, from, size);
      return;
    }
    for (int64_t i = 0; i < last; i += kRowWordBytes) StoreAs(to + i, LoadAs<uint64_t>(from + i));
    const uint64_t mask = ~uint64_t{0} >> (8 * (whole - size));
    StoreAs(to + last, LoadAs<uint64_t>(from + last) & mask);
  }

  const int32_t* indices_ = nullptr;  // null: the column is plain
  const int32_t* value_offsets_ = nullptr;
  const uint8_t* data_ = nullptr;
  const uint8_t* data_end_ = nullptr;
};

// Spark's CalendarInterval: months, days and microseconds, 16 bytes that a null keeps as zeros.
class IntervalWriter : public ColumnWriter {
 public:
  using ColumnWriter::ColumnWriter;
  int64_t constant_bytes() const override { return kIntervalBytes; }

  void Write(const RowsToWrite& rows) const override {
    const auto& values = static_cast<const arrow::BinaryArray&>(*column_);
    WithRows(rows.selection, [&](auto physical) {
      for (int64_t i = 0; i < rows.count; ++i) {
        const int64_t source = physical[rows.first + i];
        uint8_t* row = rows.bytes + rows.offsets[i];
        const auto offset = static_cast<uint64_t>(rows.variable_ends[i]);
        rows.variable_ends[i] += static_cast<int32_t>(kIntervalBytes);
        StoreAs<uint64_t>(row + offset_, offset << 32 | kIntervalBytes);
        if (IsNull(source)) {
          SetNull(row);
          std::memset(row + offset, 0, kIntervalBytes);
          continue;
        }
        const std::string_view value = values.GetView(source);
        REPRISE_CHECK(value.size() == kIntervalBytes, "an interval of {} bytes", value.size());
        std::memcpy(row + offset, value.data(), kIntervalBytes);
      }
    });
  }
};

// Columns of type void: every row is null.
class NullWriter : public ColumnWriter {
 public:
  using ColumnWriter::ColumnWriter;
  void Write(const RowsToWrite& rows) const override {
    for (int64_t i = 0; i < rows.count; ++i) {
      uint8_t* row = rows.bytes + rows.offsets[i];
      SetNull(row);
      StoreAs<uint64_t>(row + offset_, 0);
    }
  }
};

}  // namespace

Result<std::unique_ptr<RowColumnWriter>> MakeRowColumnWriter(const Field& field, int index,
                                                             int field_count) {
  ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(field.type));
  const auto make = [&]<typename Writer>(std::in_place_type_t<Writer>) {
    return std::unique_ptr<RowColumnWriter>(
        std::make_unique<Writer>(field, std::move(type), index, field_count));
  };
  if (IsCalendarInterval(field.type)) return make(std::in_place_type<IntervalWriter>);
  const DataType stored = StoredType(field.type);
  switch (stored.kind) {
    case TypeKind::kNull:
      return make(std::in_place_type<NullWriter>);
    case TypeKind::kBoolean:
      return make(std::in_place_type<BooleanWriter>);
    case TypeKind::kByte:
      return make(std::in_place_type<FixedWriter<uint8_t>>);
    case TypeKind::kShort:
      return make(std::in_place_type<FixedWriter<uint16_t>>);
    case TypeKind::kInteger:
    case TypeKind::kDate:
    case TypeKind::kFloat:  // as its bits, so that a NaN keeps them
      return make(std::in_place_type<FixedWriter<uint32_t>>);
    case TypeKind::kLong:
    case TypeKind::kDouble:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return make(std::in_place_type<FixedWriter<uint64_t>>);
    case TypeKind::kDecimal:
      return stored.is_short_decimal() ? make(std::in_place_type<FixedWriter<uint64_t>>)
                                       : make(std::in_place_type<LongDecimalWriter>);
    case TypeKind::kString:
    case TypeKind::kBinary:
      return make(std::in_place_type<VariableWriter>);
    case TypeKind::kOther:
      break;
  }
  return Status::NotImplemented("column ", field.name, ": type ", field.type.ToString(),
                                " has no native form");
}

}  // namespace reprise
