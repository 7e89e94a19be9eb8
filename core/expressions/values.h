// Raw views of what expressions evaluate to: the loops of the kernels run over these.
#pragma once

#include <arrow/array.h>
#include <arrow/scalar.h>
#include <arrow/util/bit_util.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "expressions/expression.h"

namespace reprise {

using Int128 = __int128;

/// A decimal128 in an Arrow buffer, which may be aligned to 8 bytes only.
struct Int128Cell {
  uint64_t low;
  int64_t high;

  Int128Cell() = default;
  explicit Int128Cell(Int128 value)
      : low(static_cast<uint64_t>(value)), high(static_cast<int64_t>(value >> 64)) {}
  operator Int128() const { return (static_cast<Int128>(high) << 64) | low; }
};

/// One value a row.
template <typename T>
struct Rows {
  const T* data;
  const T& operator[](int64_t row) const { return data[row]; }
};

/// The same value for every row.
template <typename T>
struct Constant {
  T value;
  const T& operator[](int64_t) const { return value; }
};

/// One string a row.
struct StringRows {
  const int32_t* offsets;
  const char* bytes;
  std::string_view operator[](int64_t row) const {
    return {bytes + offsets[row], static_cast<size_t>(offsets[row + 1] - offsets[row])};
  }
};

/// One boolean a row.
struct BitRows {
  const uint8_t* bits;
  int64_t offset;
  bool operator[](int64_t row) const { return arrow::bit_util::GetBit(bits, offset + row); }
};

/// What a table says about a row's dictionary entry. Indices under nulls may be anything.
struct DictionaryRows {
  const int32_t* indices;
  const uint8_t* table;
  uint32_t table_size;  // at least 1
  uint8_t operator[](int64_t row) const {
    const uint32_t index = static_cast<uint32_t>(indices[row]);
    return table[index < table_size ? index : 0];
  }
};

template <typename T>
Rows<T> RowsOf(const arrow::Array& array) {
  return {array.data()->GetValues<T>(1)};
}

/// The value of a valid scalar of a fixed width.
template <typename T>
T ConstantOf(const arrow::Scalar& scalar) {
  T value;
  std::memcpy(&value, static_cast<const arrow::internal::PrimitiveScalarBase&>(scalar).data(),
              sizeof(T));
  return value;
}

/// Values of a column of a fixed width, whichever of the two it is; for loops in which one
/// predictable branch a row does not count.
template <typename T>
class AnyValues {
 public:
  AnyValues() = default;
  explicit AnyValues(const Column& column) {
    if (column.is_scalar()) {
      constant_ = ConstantOf<T>(*column.scalar);
    } else {
      data_ = RowsOf<T>(*column.array).data;
    }
  }
  T operator[](int64_t row) const { return data_ ? data_[row] : constant_; }

 private:
  const T* data_ = nullptr;
  T constant_{};
};

/// Calls `f(values)` with Rows<T> or Constant<T>, so that `f`'s loop is compiled for each.
template <typename T, typename F>
auto VisitValues(const Column& column, F&& f) {
  if (column.is_scalar()) return f(Constant<T>{ConstantOf<T>(*column.scalar)});
  return f(RowsOf<T>(*column.array));
}

/// Calls `f(left, right)` for the three shapes of two operands of which one at least is an array,
/// or both scalars.
template <typename L, typename R, typename F>
auto VisitPair(const Column& left, const Column& right, F&& f) {
  return VisitValues<L>(
      left, [&](auto l) { return VisitValues<R>(right, [&](auto r) { return f(l, r); }); });
}

/// Calls `f(values)` with BitRows or Constant<bool> of a boolean column.
template <typename F>
auto VisitBooleans(const Column& column, F&& f) {
  if (column.is_scalar()) return f(Constant<bool>{ConstantOf<bool>(*column.scalar)});
  return f(BitRows{column.array->data()->buffers[1]->data(), column.array->offset()});
}

inline StringRows StringsOf(const arrow::Array& array) {
  return {array.data()->GetValues<int32_t>(1),
          reinterpret_cast<const char*>(array.data()->GetValues<uint8_t>(2, 0))};
}

inline std::string_view StringOf(const arrow::Scalar& scalar) {
  return static_cast<const arrow::BaseBinaryScalar&>(scalar).view();
}

/// Writes `count` booleans as bits from bit 0 of `bits`: 64 at a time through bytes, so that the
/// loop over `f` is compiled to vector instructions.
template <typename F>
void WriteBits(int64_t count, uint8_t* bits, F&& f) {
  constexpr uint64_t kGather =
      0x0102040810204080ULL;  // brings the low bits of 8 bytes to the top byte
  alignas(16) uint8_t bytes[64];
  for (int64_t begin = 0; begin < count; begin += 64) {
    const int64_t length = std::min<int64_t>(64, count - begin);
    if (length == 64) {
      for (int i = 0; i < 64; ++i) bytes[i] = f(begin + i);
    } else {
      std::memset(bytes, 0, sizeof(bytes));
      for (int i = 0; i < length; ++i) bytes[i] = f(begin + i);
    }
    for (int64_t i = 0; i < (length + 7) / 8; ++i) {
      uint64_t eight;
      std::memcpy(&eight, bytes + 8 * i, sizeof(eight));
      bits[begin / 8 + i] = static_cast<uint8_t>((eight * kGather) >> 56);
    }
  }
}

/// Writes those of `rows` for which `f(row)` is 1; branch-free. `out` may be `rows.indices`.
template <typename F>
int64_t WriteSelection(RowSet rows, int32_t* out, F&& f) {
  int64_t written = 0;
  if (rows.indices == nullptr) {
    for (int64_t row = 0; row < rows.count; ++row) {
      out[written] = static_cast<int32_t>(row);
      written += static_cast<int64_t>(f(row));
    }
    return written;
  }
  for (int64_t i = 0; i < rows.count; ++i) {
    const int32_t row = rows.indices[i];
    out[written] = row;
    written += static_cast<int64_t>(f(row));
  }
  return written;
}

/// Calls `f.template operator()<T>()` with the C++ type in which a column of `type` stores its
/// values; booleans, strings and binary have none and are not to be passed.
template <typename F>
auto VisitStorage(const DataType& type, F&& f) {
  switch (type.kind) {
    case TypeKind::kByte:
      return f.template operator()<int8_t>();
    case TypeKind::kShort:
      return f.template operator()<int16_t>();
    case TypeKind::kInteger:
    case TypeKind::kDate:
      return f.template operator()<int32_t>();
    case TypeKind::kFloat:
      return f.template operator()<float>();
    case TypeKind::kDouble:
      return f.template operator()<double>();
    case TypeKind::kDecimal:
      if (!type.is_short_decimal()) return f.template operator()<Int128Cell>();
      return f.template operator()<int64_t>();
    default:
      return f.template operator()<int64_t>();
  }
}

}  // namespace reprise
