// The layout of Spark's UnsafeRow (org.apache.spark.sql.catalyst.expressions.UnsafeRow,
// codegen.UnsafeRowWriter).
//
// A row of n fields, all numbers little endian, its length a multiple of 8:
//
//   null bits      (n + 63) / 64 words; bit i set: field i is null
//   fields         one word (8 bytes) each
//                    boolean, byte, short, int, float, date: the value in the low bytes, zeros
//                    above long, double, timestamps, decimals of up to 18 digits (unscaled): the
//                    value string, binary, longer decimals: (offset << 32) | size, offset from the
//                    row's start
//   variable part  each value starts at a multiple of 8 and is padded with zeros to the next; in
//   field order
//
// Two rows that are equal must be equal byte for byte, since Spark hashes and compares rows as
// bytes. So: a null field's word is zero, except that of a decimal of more than 18 digits, which
// keeps its offset with size 0; such a decimal always takes 16 bytes of the variable part, null or
// not (in an array only the words that it needs, and a null none), and holds
// BigInteger.toByteArray (big endian, as few bytes as its sign allows); an empty
// string keeps the offset at which it would start. NaNs keep their bits. A CalendarInterval always
// takes 16 bytes too, and a null one keeps its offset and size. Arrays, maps and structs are bytes
// whose inner offsets count from their own start: a copy of them is whole.
//
// Example: (int 7, string null, string "ab"):
//   0200000000000000 0700000000000000 0000000000000000 0200000020000000 6162000000000000
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace reprise {

inline constexpr int64_t kRowWordBytes = 8;
/// Bytes of the variable part that a decimal of more than 18 digits takes.
inline constexpr int64_t kLongDecimalBytes = 16;
/// Bytes of the variable part that a CalendarInterval takes.
inline constexpr int64_t kIntervalBytes = 16;

inline constexpr int64_t NullBitsBytes(int64_t field_count) { return (field_count + 63) / 64 * 8; }

/// Bytes of a row of `field_count` fields before its variable part.
inline constexpr int64_t FixedRowBytes(int64_t field_count) {
  return NullBitsBytes(field_count) + field_count * kRowWordBytes;
}

inline constexpr int64_t RoundUpToWord(int64_t bytes) { return (bytes + 7) & ~int64_t{7}; }

template <typename T>
T LoadAs(const uint8_t* address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

template <typename T>
void StoreAs(uint8_t* address, T value) {
  std::memcpy(address, &value, sizeof(T));
}

/// Bytes of BigInteger.toByteArray: the fewest that keep the sign.
inline int BigEndianBytes(__int128 value) {
  const auto magnitude = static_cast<unsigned __int128>(value < 0 ? ~value : value);
  const auto high = static_cast<uint64_t>(magnitude >> 64);
  const int leading_zeros =
      high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<uint64_t>(magnitude));
  return (128 - leading_zeros) / 8 + 1;
}

/// Writes the unscaled value of a decimal of more than 18 digits, as BigInteger.toByteArray: big
/// endian, BigEndianBytes; zeros up to kLongDecimalBytes. Returns the bytes.
inline uint64_t StoreBigEndian(__int128 value, uint8_t* to) {
  const int size = BigEndianBytes(value);
  const unsigned __int128 aligned = static_cast<unsigned __int128>(value) << (8 * (16 - size));
  StoreAs<uint64_t>(to, __builtin_bswap64(static_cast<uint64_t>(aligned >> 64)));
  StoreAs<uint64_t>(to + kRowWordBytes, __builtin_bswap64(static_cast<uint64_t>(aligned)));
  return static_cast<uint64_t>(size);
}

/// Bytes that a decimal of more than 18 digits takes behind the fixed parts of an array.
inline int64_t LongDecimalElementBytes(__int128 value) {
  return RoundUpToWord(BigEndianBytes(value));
}

/// Writes such an element of an array: its digits `offset` bytes behind the array's start, and at
/// `fixed` where these are. Returns LongDecimalElementBytes.
inline int64_t StoreLongDecimalElement(__int128 value, uint8_t* array, uint8_t* fixed,
                                       int64_t offset) {
  uint8_t digits[kLongDecimalBytes];
  const uint64_t size = StoreBigEndian(value, digits);
  const int64_t bytes = RoundUpToWord(static_cast<int64_t>(size));
  std::memcpy(array + offset, digits, static_cast<size_t>(bytes));
  StoreAs<uint64_t>(fixed, static_cast<uint64_t>(offset) << 32 | size);
  return bytes;
}

}  // namespace reprise
