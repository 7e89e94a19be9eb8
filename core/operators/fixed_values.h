// Reads and makes Arrow columns of fixed-width Spark types as plain C++ values: bool, int8_t …
// int64_t, float, double, and Int128 for decimals above 18 digits.
#pragma once

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/util/bit_util.h>
#include <arrow/util/bitmap_ops.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "base/check.h"
#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

/// The bits of a value of at most 64 of them, zero-extended.
template <typename T>
uint64_t BitsOf(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value;
  } else {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
  }
}

/// True for the types that VisitFixedType takes.
inline bool IsFixedType(const DataType& type) {
  return !type.is(TypeKind::kNull) && !type.is(TypeKind::kString) && !type.is(TypeKind::kBinary) &&
         !type.is(TypeKind::kOther);
}

/// Calls `visit` with a value (zero) of the C++ type in which `type` is stored. Only for
/// IsFixedType.
template <typename Visitor>
auto VisitFixedType(const DataType& type, Visitor&& visit) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return visit(bool{});
    case TypeKind::kByte:
      return visit(int8_t{});
    case TypeKind::kShort:
      return visit(int16_t{});
    case TypeKind::kInteger:
    case TypeKind::kDate:
      return visit(int32_t{});
    case TypeKind::kLong:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return visit(int64_t{});
    case TypeKind::kFloat:
      return visit(float{});
    case TypeKind::kDouble:
      return visit(double{});
    case TypeKind::kDecimal:
      return type.is_short_decimal() ? visit(int64_t{}) : visit(Int128{});
    default:
      break;
  }
  FailCheck(__FILE__, __LINE__, "IsFixedType(type)", type.ToString());
}

/// The validity of a column's rows; `all()` where no row is null.
class Validity {
 public:
  explicit Validity(const arrow::Array& column)
      : bits_(column.null_count() == 0 ? nullptr : column.null_bitmap_data()),
        offset_(column.offset()) {}
  bool all() const { return bits_ == nullptr; }
  bool operator[](int64_t row) const {
    return bits_ == nullptr || arrow::bit_util::GetBit(bits_, offset_ + row);
  }

 private:
  const uint8_t* bits_;
  int64_t offset_;
};

/// The values of a column stored as `T`. Values of null rows are undefined, but may be read.
template <typename T>
class FixedValues {
 public:
  explicit FixedValues(const arrow::Array& column)
      : bytes_(column.data()->buffers[1] ? column.data()->buffers[1]->data() : nullptr),
        offset_(column.offset()) {}
  T operator[](int64_t row) const {
    if constexpr (std::is_same_v<T, bool>) {
      return arrow::bit_util::GetBit(bytes_, offset_ + row);
    } else {
      T value;
      std::memcpy(&value, bytes_ + (offset_ + row) * sizeof(T), sizeof(T));
      return value;
    }
  }

 private:
  const uint8_t* bytes_;
  int64_t offset_;
};

/// A bitmap of `count` bits, bit i = bit(i).
template <typename Bit>
Result<std::shared_ptr<arrow::Buffer>> MakeBitmap(int64_t count, arrow::MemoryPool* pool,
                                                  Bit&& bit) {
  ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateEmptyBitmap(count, pool));
  uint8_t* bits = buffer->mutable_data();
  for (int64_t i = 0; i < count; ++i) {
    if (bit(i)) arrow::bit_util::SetBit(bits, i);
  }
  return buffer;
}

/// The validity bitmap of `count` rows; null where all are valid.
template <typename Valid>
Result<std::shared_ptr<arrow::Buffer>> MakeValidity(int64_t count, arrow::MemoryPool* pool,
                                                    int64_t* null_count, Valid&& valid) {
  *null_count = 0;
  for (int64_t i = 0; i < count; ++i) *null_count += !valid(i);
  if (*null_count == 0) return nullptr;
  return MakeBitmap(count, pool, valid);
}

/// A column of `count` rows: row i is value(i) where valid(i), else null.
template <typename T, typename Valid, typename Value>
Result<std::shared_ptr<arrow::Array>> MakeFixedColumn(const DataType& type, int64_t count,
                                                      arrow::MemoryPool* pool, Valid&& valid,
                                                      Value&& value) {
  ARROW_ASSIGN_OR_RAISE(auto arrow_type, ToArrow(type));
  int64_t null_count = 0;
  ARROW_ASSIGN_OR_RAISE(auto validity, MakeValidity(count, pool, &null_count, valid));
  std::shared_ptr<arrow::Buffer> values;
  if constexpr (std::is_same_v<T, bool>) {
    ARROW_ASSIGN_OR_RAISE(values,
                          MakeBitmap(count, pool, [&](int64_t i) { return valid(i) && value(i); }));
  } else {
    ARROW_ASSIGN_OR_RAISE(values, arrow::AllocateBuffer(count * sizeof(T), pool));
    T* out = reinterpret_cast<T*>(values->mutable_data());
    for (int64_t i = 0; i < count; ++i) out[i] = valid(i) ? static_cast<T>(value(i)) : T{};
  }
  return arrow::MakeArray(arrow::ArrayData::Make(
      std::move(arrow_type), count, {std::move(validity), std::move(values)}, null_count));
}

}  // namespace reprise
