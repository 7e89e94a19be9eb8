// What Spark's hash functions have in common (HashExpression.scala): which bytes of a value are
// hashed, and with which seed.
#pragma once

#include <arrow/array/array_binary.h>
#include <arrow/array/array_dict.h>
#include <arrow/util/bit_util.h>

#include <span>

#include "expressions/nested_hashes.h"
#include "expressions/values.h"

namespace reprise {

/// The hashes of one algorithm: `Algorithm` has the type `Hash`, unsigned, and the static functions
/// `Int(uint32_t, seed)`, `Long(uint64_t, seed)` and `Bytes(string_view, seed)`.
template <typename Algorithm>
class RowHashes {
 public:
  using Hash = typename Algorithm::Hash;

  /// Replaces each row's hash by that of the row's value with that hash as the seed; a null leaves
  /// it as it is. Booleans, bytes, shorts and dates hash as ints, decimals of up to 18 digits as
  /// longs, longer ones as the bytes of the unscaled BigInteger; arrays, maps and structs, whose
  /// type is `nested` (else null), as their parts one after the other. Strings may be
  /// dictionary-encoded. Types without native form are Status::NotImplemented.
  static Status Add(const arrow::Array& column, const NestedType* nested, std::span<Hash> hashes) {
    if (nested == nullptr || column.type_id() != arrow::Type::BINARY)
      return AddPlain(column, hashes);
    const auto& values = static_cast<const arrow::BinaryArray&>(column);
    for (int64_t row = 0; row < column.length(); ++row) {
      if (column.IsNull(row)) continue;
      const NestedBytes value = ToNestedBytes(values.GetView(row));
      ARROW_ASSIGN_OR_RAISE(hashes[row],
                            NestedHashes<Algorithm>::Whole(*nested, value, hashes[row]));
    }
    return Status::OK();
  }

 private:
  static Status AddPlain(const arrow::Array& column, std::span<Hash> hashes);

  using Values = ValueHashes<Algorithm>;

  /// Calls `hash(row, seed)` for every row that is not null.
  template <typename F>
  static void HashRows(const arrow::Array& column, std::span<Hash> hashes, F&& hash) {
    const auto count = static_cast<int64_t>(hashes.size());
    if (column.null_count() == 0) {
      for (int64_t row = 0; row < count; ++row) {
        hashes[row] = hash(row, hashes[row]);
      }
      return;
    }
    const uint8_t* valid = column.null_bitmap_data();
    for (int64_t row = 0; row < count; ++row) {
      if (!arrow::bit_util::GetBit(valid, column.offset() + row)) continue;
      hashes[row] = hash(row, hashes[row]);
    }
  }

  template <typename T, typename F>
  static void HashValues(const arrow::Array& column, std::span<Hash> hashes, F&& hash) {
    const Rows<T> values = RowsOf<T>(column);
    HashRows(column, hashes, [&](int64_t row, Hash seed) { return hash(values[row], seed); });
  }

  template <typename T>
  static void HashInts(const arrow::Array& column, std::span<Hash> hashes) {
    HashValues<T>(column, hashes, [](T value, Hash seed) {
      return Algorithm::Int(static_cast<uint32_t>(static_cast<int32_t>(value)), seed);
    });
  }

  static void HashDictionary(const arrow::Array& column, std::span<Hash> hashes) {
    const auto& encoded = static_cast<const arrow::DictionaryArray&>(column);
    const StringRows text = StringsOf(*encoded.dictionary());
    const int32_t* indices = column.data()->GetValues<int32_t>(1);
    HashRows(column, hashes,
             [&](int64_t row, Hash seed) { return Algorithm::Bytes(text[indices[row]], seed); });
  }
};

template <typename Algorithm>
Status RowHashes<Algorithm>::AddPlain(const arrow::Array& column, std::span<Hash> hashes) {
  switch (column.type_id()) {
    case arrow::Type::NA:
      return Status::OK();
    case arrow::Type::BOOL: {
      const BitRows bits{column.data()->buffers[1]->data(), column.offset()};
      HashRows(column, hashes,
               [&](int64_t row, Hash seed) { return Algorithm::Int(bits[row] ? 1 : 0, seed); });
      return Status::OK();
    }
    case arrow::Type::INT8:
      HashInts<int8_t>(column, hashes);
      return Status::OK();
    case arrow::Type::INT16:
      HashInts<int16_t>(column, hashes);
      return Status::OK();
    case arrow::Type::INT32:
    case arrow::Type::DATE32:
      HashInts<int32_t>(column, hashes);
      return Status::OK();
    case arrow::Type::INT64:
    case arrow::Type::TIMESTAMP:
    case arrow::Type::DECIMAL64:
      HashValues<int64_t>(column, hashes, [](int64_t value, Hash seed) {
        return Algorithm::Long(static_cast<uint64_t>(value), seed);
      });
      return Status::OK();
    case arrow::Type::FLOAT:
      HashValues<float>(column, hashes, Values::Float);
      return Status::OK();
    case arrow::Type::DOUBLE:
      HashValues<double>(column, hashes, Values::Double);
      return Status::OK();
    case arrow::Type::DECIMAL128:
      HashValues<Int128Cell>(column, hashes, [](const Int128Cell& value, Hash seed) {
        return Values::BigInteger(value, seed);
      });
      return Status::OK();
    case arrow::Type::STRING:
    case arrow::Type::BINARY: {
      const StringRows text = StringsOf(column);
      HashRows(column, hashes,
               [&](int64_t row, Hash seed) { return Algorithm::Bytes(text[row], seed); });
      return Status::OK();
    }
    case arrow::Type::DICTIONARY:
      HashDictionary(column, hashes);
      return Status::OK();
    default:
      return Status::NotImplemented("values of type ", column.type()->ToString(),
                                    " cannot be hashed");
  }
}

}  // namespace reprise
