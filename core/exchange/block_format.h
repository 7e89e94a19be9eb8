// The wire format, version 1: what a block is made of. Blocks travel through exchanges and lie in
// spill files; encoder and decoder stand beside this file. All numbers are little-endian.
//
//   header      kHeaderBytes, below
//   directory   for each column its head, then one BufferSize for each of its buffers
//   buffers     those of column 0, then those of column 1 …, each compressed or as it is
//
// A column has one of these encodings and buffers:
//   kNulls       none: every row is null
//   kValues      validity? values                          fixed width
//   kText        validity? lengths bytes                   strings and binary
//   kDictionary  validity? indices lengths bytes           strings, lengths and bytes of the
//   dictionary
// validity:  a bit a row, 1 where it is not null; present where kHasValidity is set.
// values:    booleans as bits. Integers, dates, times and decimals as unsigned differences of
//            `width` bytes to the smallest value of the block, which is the first 8 bytes of the
//            buffer; as they are in Arrow where `width` is 0. Rows that are null have the
//            difference 0.
// lengths, indices: unsigned, of `width` bytes; a dictionary's lengths of `dictionary_width` bytes.
// A buffer whose stored size is its raw size is not compressed.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "plan/spec.h"

namespace reprise::block {

inline constexpr uint32_t kMagic = 0x4b425052;  // "RPBK"
inline constexpr uint16_t kVersion = 1;

/// The first bytes of a block.
struct Header {
  uint32_t magic = kMagic;
  uint16_t version = kVersion;
  uint8_t codec = 0;  ///< of compressed buffers; enum Codec
  uint8_t reserved = 0;
  uint32_t columns = 0;
  uint32_t rows = 0;
  uint64_t body_bytes = 0;  ///< of all that follows the header
  uint64_t schema = 0;      ///< SchemaCheck
  uint64_t checksum =
      0;  ///< xxh3-64 of the body, seeded with that of the header's bytes before this
};
static_assert(sizeof(Header) == 40);
inline constexpr int64_t kHeaderBytes = sizeof(Header);

enum class Encoding : uint8_t { kNulls = 0, kValues = 1, kText = 2, kDictionary = 3 };

inline constexpr uint8_t kHasValidity = 1;

struct ColumnHead {
  Encoding encoding = Encoding::kNulls;
  uint8_t flags = 0;
  uint8_t width = 0;             ///< bytes of a value, length or index
  uint8_t dictionary_width = 0;  ///< bytes of a length of the dictionary
  uint32_t null_count = 0;
};
static_assert(sizeof(ColumnHead) == 8);

struct BufferSize {
  uint32_t raw = 0;
  uint32_t stored = 0;
};
static_assert(sizeof(BufferSize) == 8);

/// Buffers of a column, by its head.
constexpr int BufferCount(const ColumnHead& head) {
  const int validity = (head.flags & kHasValidity) != 0 ? 1 : 0;
  switch (head.encoding) {
    case Encoding::kNulls:
      return 0;
    case Encoding::kValues:
      return validity + 1;
    case Encoding::kText:
      return validity + 2;
    case Encoding::kDictionary:
      return validity + 3;
  }
  return -1;
}

/// A hash of the columns' types; names and nullability do not count.
uint64_t SchemaCheck(const arrow::Schema& schema);

/// What stands in the header of `block` as its checksum.
uint64_t Checksum(const uint8_t* block, int64_t body_bytes);

}  // namespace reprise::block
