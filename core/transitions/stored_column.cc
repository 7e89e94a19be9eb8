#include "transitions/stored_column.h"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_dict.h>
#include <arrow/util/bit_util.h>

#include <cstring>
#include <limits>

#include "plan/nested_type.h"
#include "plan/unsafe_row.h"

namespace reprise {

namespace {

constexpr int64_t kStoredBytesMax = std::numeric_limits<int32_t>::max();

/// Bytes before the elements' fixed parts: their number and null bits.
int64_t HeaderBytes(int64_t count) { return kRowWordBytes + NullBitsBytes(count); }

/// Some elements of a column, as one array.
struct Elements {
  int64_t begin;
  int64_t end;
  int64_t count() const { return end - begin; }
};

/// A column whose elements become arrays.
class ElementColumn {
 public:
  ElementColumn(const arrow::Array& column, int64_t width)
      : column_(column),
        width_(width),
        bits_(column.null_count() != 0 ? column.null_bitmap_data() : nullptr) {}
  virtual ~ElementColumn() = default;

  int64_t BytesOf(Elements elements) const {
    return HeaderBytes(elements.count()) + RoundUpToWord(elements.count() * width_) +
           VariableBytes(elements);
  }

  /// Writes the array that BytesOf has measured.
  void Write(Elements elements, uint8_t* to) const {
    const int64_t count = elements.count();
    const int64_t header = HeaderBytes(count);
    const int64_t fixed = RoundUpToWord(count * width_);
    StoreAs<int64_t>(to, count);
    std::memset(to + kRowWordBytes, 0, static_cast<size_t>(header - kRowWordBytes));
    if (fixed > 0) StoreAs<uint64_t>(to + header + fixed - kRowWordBytes, 0);
    WriteValues(elements, to, header, header + fixed);
    for (int64_t i = 0; bits_ != nullptr && i < count; ++i) {
      if (!IsNull(elements.begin + i)) continue;
      to[kRowWordBytes + i / 8] |= static_cast<uint8_t>(1 << (i % 8));
      std::memset(to + header + i * width_, 0, static_cast<size_t>(width_));
    }
  }

 protected:
  bool IsNull(int64_t element) const {
    return bits_ != nullptr && !arrow::bit_util::GetBit(bits_, column_.offset() + element);
  }
  /// Bytes behind the fixed parts.
  virtual int64_t VariableBytes(Elements) const { return 0; }
  /// Writes the fixed parts to `array + fixed`, those of nulls as they come, and what they refer to
  /// to `array + variable`.
  virtual void WriteValues(Elements elements, uint8_t* array, int64_t fixed,
                           int64_t variable) const = 0;

  const arrow::Array& column_;
  const int64_t width_;

 private:
  const uint8_t* bits_;
};

/// Values that stand in arrays as they do in the column.
class FixedElements final : public ElementColumn {
 public:
  FixedElements(const arrow::Array& column, int64_t width)
      : ElementColumn(column, width),
        values_(column.data()->GetValues<uint8_t>(1, column.offset() * width)) {}

 private:
  void WriteValues(Elements elements, uint8_t* array, int64_t fixed, int64_t) const override {
    if (elements.count() == 0) return;
    std::memcpy(array + fixed, values_ + elements.begin * width_,
                static_cast<size_t>(elements.count() * width_));
  }

  const uint8_t* values_;
};

class BooleanElements final : public ElementColumn {
 public:
  explicit BooleanElements(const arrow::Array& column) : ElementColumn(column, /*width=*/1) {}

 private:
  void WriteValues(Elements elements, uint8_t* array, int64_t fixed, int64_t) const override {
    const uint8_t* values = column_.data()->buffers[1]->data();
    for (int64_t i = 0; i < elements.count(); ++i) {
      const int64_t bit = column_.offset() + elements.begin + i;
      array[fixed + i] = arrow::bit_util::GetBit(values, bit) ? 1 : 0;
    }
  }
};

class LongDecimalElements final : public ElementColumn {
 public:
  explicit LongDecimalElements(const arrow::Array& column)
      : ElementColumn(column, kRowWordBytes),
        values_(column.data()->GetValues<uint8_t>(1, column.offset() * kLongDecimalBytes)) {}

 private:
  __int128 ValueOf(int64_t element) const {
    return LoadAs<__int128>(values_ + element * kLongDecimalBytes);
  }

  int64_t VariableBytes(Elements elements) const override {
    int64_t bytes = 0;
    for (int64_t i = elements.begin; i < elements.end; ++i) {
      if (!IsNull(i)) bytes += LongDecimalElementBytes(ValueOf(i));
    }
    return bytes;
  }
  void WriteValues(Elements elements, uint8_t* array, int64_t fixed,
                   int64_t variable) const override {
    for (int64_t i = elements.begin; i < elements.end; ++i, fixed += kRowWordBytes) {
      if (IsNull(i)) continue;
      variable += StoreLongDecimalElement(ValueOf(i), array, array + fixed, variable);
    }
  }

  const uint8_t* values_;
};

/// Strings, and all that travels as bytes.
class BytesElements final : public ElementColumn {
 public:
  explicit BytesElements(const arrow::Array& column) : ElementColumn(column, kRowWordBytes) {
    const arrow::ArrayData* values = column.data().get();
    if (column.type_id() == arrow::Type::DICTIONARY) {
      indices_ = values->GetValues<int32_t>(1);
      values = values->dictionary.get();
    }
    offsets_ = values->GetValues<int32_t>(1);
    data_ = values->buffers[2] != nullptr ? values->buffers[2]->data() : nullptr;
  }

 private:
  int64_t PlaceOf(int64_t element) const {
    return indices_ != nullptr ? indices_[element] : element;
  }

  int64_t VariableBytes(Elements elements) const override {
    int64_t bytes = 0;
    for (int64_t i = elements.begin; i < elements.end; ++i) {
      if (IsNull(i)) continue;
      const int64_t place = PlaceOf(i);
      bytes += RoundUpToWord(offsets_[place + 1] - offsets_[place]);
    }
    return bytes;
  }
  void WriteValues(Elements elements, uint8_t* array, int64_t fixed,
                   int64_t variable) const override {
    for (int64_t i = elements.begin; i < elements.end; ++i, fixed += kRowWordBytes) {
      if (IsNull(i)) continue;
      const int64_t place = PlaceOf(i);
      const int64_t size = offsets_[place + 1] - offsets_[place];
      const int64_t whole = RoundUpToWord(size);
      StoreAs<uint64_t>(array + fixed,
                        static_cast<uint64_t>(variable) << 32 | static_cast<uint64_t>(size));
      if (whole > 0) {
        StoreAs<uint64_t>(array + variable + whole - kRowWordBytes, 0);
        std::memcpy(array + variable, data_ + offsets_[place], static_cast<size_t>(size));
      }
      variable += whole;
    }
  }

  const int32_t* indices_ = nullptr;  // null: the column is plain
  const int32_t* offsets_;
  const uint8_t* data_;
};

std::unique_ptr<ElementColumn> ElementsIn(const DataType& type, const arrow::Array& column) {
  const NestedType element = PlainItemType(type);
  if (element.is_long_decimal) return std::make_unique<LongDecimalElements>(column);
  switch (element.stored) {
    case TypeKind::kBoolean:
      return std::make_unique<BooleanElements>(column);
    case TypeKind::kString:
    case TypeKind::kBinary:
      return std::make_unique<BytesElements>(column);
    default:
      return std::make_unique<FixedElements>(column, element.element_bytes);
  }
}

using Buffers = std::pair<std::shared_ptr<arrow::Buffer>, std::shared_ptr<arrow::Buffer>>;

/// Offsets and room for as many values, of which each has `bytes_of(value)` bytes.
template <typename BytesOf>
Result<Buffers> Allocate(int64_t count, BytesOf&& bytes_of, arrow::MemoryPool* pool) {
  constexpr int64_t kWidth = sizeof(int32_t);
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> offsets,
                        arrow::AllocateBuffer((count + 1) * kWidth, pool));
  auto* ends = reinterpret_cast<int32_t*>(offsets->mutable_data());
  int64_t end = 0;
  ends[0] = 0;
  for (int64_t i = 0; i < count; ++i) {
    end += bytes_of(i);
    if (end > kStoredBytesMax) {
      return Status::CapacityError("arrays, maps or structs of ", i + 1, " rows have ", end,
                                   " bytes; a batch holds at most ", kStoredBytesMax,
                                   ": lower spark.reprise.sql.batchRows");
    }
    ends[i + 1] = static_cast<int32_t>(end);
  }
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> data, arrow::AllocateBuffer(end, pool));
  return Buffers(std::move(offsets), std::move(data));
}

std::shared_ptr<arrow::Array> BinaryOf(int64_t count, const StoredNulls& nulls, Buffers buffers) {
  return std::make_shared<arrow::BinaryArray>(
      count, std::move(buffers.first), std::move(buffers.second), nulls.validity, nulls.null_count);
}

/// A binary column of lists, which `measure` and `write` one by one.
template <typename Measure, typename Write>
Result<std::shared_ptr<arrow::Array>> StoreLists(const StoredLists& lists, Measure&& measure,
                                                 Write&& write, arrow::MemoryPool* pool) {
  const auto elements_of = [&](int64_t list) {
    return Elements{lists.offset(list), lists.offset(list + 1)};
  };
  ARROW_ASSIGN_OR_RAISE(
      Buffers buffers,
      Allocate(
          lists.count,
          [&](int64_t list) { return lists.nulls.IsNull(list) ? 0 : measure(elements_of(list)); },
          pool));
  const auto* starts = reinterpret_cast<const int32_t*>(buffers.first->data());
  for (int64_t list = 0; list < lists.count; ++list) {
    if (lists.nulls.IsNull(list)) continue;
    write(elements_of(list), buffers.second->mutable_data() + starts[list]);
  }
  return BinaryOf(lists.count, lists.nulls, std::move(buffers));
}

}  // namespace

bool StoredNulls::IsNull(int64_t value) const {
  return validity != nullptr && !arrow::bit_util::GetBit(validity->data(), value);
}

Result<std::shared_ptr<arrow::Array>> StoredArrays(const StoredLists& lists,
                                                   const DataType& element_type,
                                                   const arrow::Array& elements,
                                                   arrow::MemoryPool* pool) {
  const auto column = ElementsIn(element_type, elements);
  return StoreLists(
      lists, [&](Elements list) { return column->BytesOf(list); },
      [&](Elements list, uint8_t* to) { column->Write(list, to); }, pool);
}

Result<std::shared_ptr<arrow::Array>> StoredMaps(const StoredLists& lists, const DataType& key_type,
                                                 const arrow::Array& keys,
                                                 const DataType& value_type,
                                                 const arrow::Array& values,
                                                 arrow::MemoryPool* pool) {
  if (keys.null_count() != 0) return Status::Invalid("a map has a key that is null");
  const auto key_column = ElementsIn(key_type, keys);
  const auto value_column = ElementsIn(value_type, values);
  return StoreLists(
      lists,
      [&](Elements list) {
        return kRowWordBytes + key_column->BytesOf(list) + value_column->BytesOf(list);
      },
      [&](Elements list, uint8_t* to) {
        const int64_t key_bytes = key_column->BytesOf(list);
        StoreAs<int64_t>(to, key_bytes);
        key_column->Write(list, to + kRowWordBytes);
        value_column->Write(list, to + kRowWordBytes + key_bytes);
      },
      pool);
}

Result<StoredStructs> StoredStructs::Make(const std::vector<Field>& fields,
                                          arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto encoder, UnsafeRowEncoder::Make(fields, pool));
  return StoredStructs(std::move(encoder), pool);
}

Result<std::shared_ptr<arrow::Array>> StoredStructs::Of(arrow::ArrayVector columns, int64_t count,
                                                        const StoredNulls& nulls) {
  Batch fields{nullptr, std::move(columns), count, nullptr};
  if (nulls.null_count > 0) {
    constexpr int64_t kWidth = sizeof(int32_t);
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> selection,
                          arrow::AllocateBuffer((count - nulls.null_count) * kWidth, pool_));
    auto* selected = reinterpret_cast<int32_t*>(selection->mutable_data());
    for (int64_t i = 0; i < count; ++i) {
      if (!nulls.IsNull(i)) *selected++ = static_cast<int32_t>(i);
    }
    fields.selection = std::move(selection);
  }
  ARROW_ASSIGN_OR_RAISE(const EncodedRows rows, encoder_->Encode(fields));
  int64_t row = 0;
  const auto bytes_of = [&](int64_t i) -> int64_t {
    if (nulls.IsNull(i)) return 0;
    const int64_t bytes = rows.offsets[row + 1] - rows.offsets[row];
    ++row;
    return bytes;
  };
  ARROW_ASSIGN_OR_RAISE(Buffers buffers, Allocate(count, bytes_of, pool_));
  const auto bytes = static_cast<size_t>(rows.offsets[rows.row_count]);
  if (bytes > 0) std::memcpy(buffers.second->mutable_data(), rows.bytes, bytes);
  return BinaryOf(count, nulls, std::move(buffers));
}

}  // namespace reprise
