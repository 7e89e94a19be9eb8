// Reads what Spark keeps nested values in: UnsafeArrayData, UnsafeMapData and UnsafeRow. Nothing is
// read beyond a value's bytes; what points there is Status::Invalid.
#pragma once

#include <arrow/util/decimal.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "base/status.h"
#include "plan/nested_type.h"
#include "plan/unsafe_row.h"

namespace reprise {

using NestedBytes = std::span<const uint8_t>;

inline NestedBytes ToNestedBytes(std::string_view value) {
  return {reinterpret_cast<const uint8_t*>(value.data()), value.size()};
}

Status NestedValueEndsBeyond(std::string_view what, int64_t end, NestedBytes bytes);

/// The number at `position`.
template <typename T>
Result<T> LoadNested(NestedBytes bytes, int64_t position, std::string_view what = "a value") {
  const auto end = position + static_cast<int64_t>(sizeof(T));
  if (position < 0 || end > static_cast<int64_t>(bytes.size())) {
    return NestedValueEndsBeyond(what, end, bytes);
  }
  return LoadAs<T>(bytes.data() + position);
}

/// What the word at `position` points to: its upper half is the offset, its lower half the size.
Result<NestedBytes> VariablePart(NestedBytes bytes, int64_t position);

/// The unscaled value of a decimal of more than 18 digits that the word at `position` points to.
Result<arrow::Decimal128> LoadLongDecimal(NestedBytes bytes, int64_t position);

inline bool NestedBitIsSet(NestedBytes bytes, int64_t first_byte, int64_t index) {
  return (bytes[static_cast<size_t>(first_byte + index / 8)] >> (index % 8) & 1) != 0;
}

/// The elements of an array, the fields of a struct: null bits, then their fixed parts or
/// references, all within `bytes`.
struct NestedItems {
  NestedBytes bytes;
  int64_t count = 0;
  int64_t null_bits = 0;  ///< the first byte of them
  int64_t first = 0;      ///< of item 0

  bool is_null(int64_t item) const { return NestedBitIsSet(bytes, null_bits, item); }
};

/// UnsafeArrayData: the number of elements, null bits, the elements' fixed parts, what they refer
/// to.
Result<NestedItems> ElementsOf(NestedBytes array);

/// UnsafeMapData: the bytes of the keys' array, that array, the values' array.
struct NestedMap {
  NestedItems keys;
  NestedItems values;
};
Result<NestedMap> EntriesOf(NestedBytes map);

/// UnsafeRow: null bits, a word for each field, what they refer to.
Result<NestedItems> FieldsOf(NestedBytes row, int64_t field_count);

}  // namespace reprise
