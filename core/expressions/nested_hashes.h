// What Spark's hash functions do with the values of arrays, maps and structs
// (HashExpression.scala): each part is hashed with the hash so far as its seed, and nulls are
// passed over.
#pragma once

#include <cmath>
#include <cstring>
#include <string_view>

#include "expressions/values.h"
#include "plan/nested_bytes.h"

namespace reprise {

/// The hashes of single values by an algorithm, as in RowHashes.
template <typename Algorithm>
struct ValueHashes {
  using Hash = typename Algorithm::Hash;

  // Float.floatToIntBits and Double.doubleToLongBits, which know one NaN; -0.0 hashes as 0.0.
  static Hash Float(float value, Hash seed) {
    if (std::isnan(value)) return Algorithm::Int(0x7fc00000u, seed);
    uint32_t bits = 0;
    if (value != 0) std::memcpy(&bits, &value, sizeof(bits));
    return Algorithm::Int(bits, seed);
  }

  static Hash Double(double value, Hash seed) {
    if (std::isnan(value)) return Algorithm::Long(0x7ff8000000000000ull, seed);
    uint64_t bits = 0;
    if (value != 0) std::memcpy(&bits, &value, sizeof(bits));
    return Algorithm::Long(bits, seed);
  }

  // BigInteger.toByteArray: big-endian two's complement, as few bytes as hold it and its sign.
  static Hash BigInteger(Int128 value, Hash seed) {
    uint8_t bytes[kLongDecimalBytes];
    const uint64_t size = StoreBigEndian(value, bytes);
    return Algorithm::Bytes({reinterpret_cast<const char*>(bytes), size}, seed);
  }
};

/// The hashes of nested values by an algorithm.
template <typename Algorithm>
class NestedHashes {
 public:
  using Hash = typename Algorithm::Hash;

  /// Of a value that is all of `bytes`. Status::Invalid where they are damaged.
  static Result<Hash> Whole(const NestedType& type, NestedBytes bytes, Hash seed) {
    switch (type.form) {
      case NestedType::Form::kArray: {
        ARROW_ASSIGN_OR_RAISE(const NestedItems elements, ElementsOf(bytes));
        for (int64_t i = 0; i < elements.count; ++i) {
          ARROW_ASSIGN_OR_RAISE(seed, Element(type.parts[0], elements, i, seed));
        }
        return seed;
      }
      case NestedType::Form::kMap: {
        ARROW_ASSIGN_OR_RAISE(const NestedMap entries, EntriesOf(bytes));
        for (int64_t i = 0; i < entries.keys.count; ++i) {
          ARROW_ASSIGN_OR_RAISE(seed, Element(type.parts[0], entries.keys, i, seed));
          ARROW_ASSIGN_OR_RAISE(seed, Element(type.parts[1], entries.values, i, seed));
        }
        return seed;
      }
      case NestedType::Form::kStruct: {
        ARROW_ASSIGN_OR_RAISE(const NestedItems fields, FieldsOf(bytes, std::ssize(type.parts)));
        for (int64_t i = 0; i < fields.count; ++i) {
          if (fields.is_null(i)) continue;
          const NestedType& field = type.parts[static_cast<size_t>(i)];
          ARROW_ASSIGN_OR_RAISE(seed, At(field, bytes, fields.first + i * kRowWordBytes, seed));
        }
        return seed;
      }
      case NestedType::Form::kCalendarInterval:
        return Status::NotImplemented("calendar intervals cannot be hashed");
      case NestedType::Form::kText:
      case NestedType::Form::kPlain:
        break;
    }
    return Algorithm::Bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, seed);
  }

 private:
  static Result<Hash> Element(const NestedType& type, const NestedItems& items, int64_t item,
                              Hash seed) {
    if (items.is_null(item)) return seed;
    return At(type, items.bytes, items.first + item * type.element_bytes, seed);
  }

  /// Of the value whose fixed part, or reference, is at `position`.
  static Result<Hash> At(const NestedType& type, NestedBytes bytes, int64_t position, Hash seed) {
    switch (type.form == NestedType::Form::kPlain ? type.stored : TypeKind::kOther) {
      case TypeKind::kNull:
        return seed;
      case TypeKind::kBoolean: {
        ARROW_ASSIGN_OR_RAISE(const auto value, LoadNested<uint8_t>(bytes, position));
        return Algorithm::Int(value != 0 ? 1 : 0, seed);
      }
      case TypeKind::kByte:
        return Int<int8_t>(bytes, position, seed);
      case TypeKind::kShort:
        return Int<int16_t>(bytes, position, seed);
      case TypeKind::kInteger:
      case TypeKind::kDate:
        return Int<int32_t>(bytes, position, seed);
      case TypeKind::kFloat: {
        ARROW_ASSIGN_OR_RAISE(const auto value, LoadNested<float>(bytes, position));
        return ValueHashes<Algorithm>::Float(value, seed);
      }
      case TypeKind::kDouble: {
        ARROW_ASSIGN_OR_RAISE(const auto value, LoadNested<double>(bytes, position));
        return ValueHashes<Algorithm>::Double(value, seed);
      }
      case TypeKind::kLong:
      case TypeKind::kTimestamp:
      case TypeKind::kTimestampNtz:
        return Long(bytes, position, seed);
      case TypeKind::kDecimal:
        if (!type.is_long_decimal) return Long(bytes, position, seed);
        break;
      default:
        break;
    }
    // A long decimal's bytes are those of its BigInteger.
    ARROW_ASSIGN_OR_RAISE(const NestedBytes value, VariablePart(bytes, position));
    return Whole(type, value, seed);
  }

  template <typename T>
  static Result<Hash> Int(NestedBytes bytes, int64_t position, Hash seed) {
    ARROW_ASSIGN_OR_RAISE(const auto value, LoadNested<T>(bytes, position));
    return Algorithm::Int(static_cast<uint32_t>(static_cast<int32_t>(value)), seed);
  }

  static Result<Hash> Long(NestedBytes bytes, int64_t position, Hash seed) {
    ARROW_ASSIGN_OR_RAISE(const auto value, LoadNested<uint64_t>(bytes, position));
    return Algorithm::Long(value, seed);
  }
};

}  // namespace reprise
