// Spark's Bloom filters, in the bytes in which it writes them (org.apache.spark.util.sketch).
//
// Numbers big-endian: int version, int count of hashes, in version 2 int seed, int count of words,
// the words. Bit i is bit i % 64 of word i / 64; so the last byte of a word has its lowest bits.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// What filters must have in common to be merged.
struct BloomFilterShape {
  int32_t version = 1;
  int32_t hash_count = 1;
  int32_t seed = 0;  ///< of version 2
  int64_t word_count = 1;

  bool operator==(const BloomFilterShape&) const = default;
  int64_t bit_count() const { return word_count * 64; }
  int64_t head_bytes() const { return (version == 2 ? 4 : 3) * int64_t{sizeof(int32_t)}; }
  int64_t bytes() const { return head_bytes() + word_count * int64_t{sizeof(uint64_t)}; }

  /// As BloomFilter.create makes them for so many items in so many bits, both above 0.
  static BloomFilterShape For(int32_t version, int64_t items, int64_t bits);

  /// Writes what stands before the words, head_bytes().
  void WriteHead(uint8_t* to) const;
};

/// The bits of a number, as byte and mask among the words: `visit(byte, mask)` returns false to
/// stop. `high` is the number's Murmur3 hash with the seed, `low` its hash with `high` as the seed.
template <typename Visit>
void VisitBloomBits(const BloomFilterShape& shape, int32_t high, int32_t low, Visit&& visit) {
  const auto visit_bit = [&](int64_t index) {
    return visit((index / 64) * 8 + 7 - (index % 64) / 8, static_cast<uint8_t>(1 << (index % 8)));
  };
  if (shape.version == 1) {
    auto hash = static_cast<uint32_t>(high);
    for (int32_t i = 0; i < shape.hash_count; ++i) {
      hash += static_cast<uint32_t>(low);
      const auto combined = static_cast<int32_t>(hash);
      if (!visit_bit((combined < 0 ? ~combined : combined) % shape.bit_count())) return;
    }
    return;
  }
  auto hash = static_cast<uint64_t>(int64_t{high} * std::numeric_limits<int32_t>::max());
  for (int32_t i = 0; i < shape.hash_count; ++i) {
    hash += static_cast<uint64_t>(int64_t{low});
    const auto combined = static_cast<int64_t>(hash);
    if (!visit_bit((combined < 0 ? ~combined : combined) % shape.bit_count())) return;
  }
}

/// A filter that is read where it lies.
class BloomFilter {
 public:
  /// Status::Invalid where the bytes are no filter of a known version.
  static Result<BloomFilter> Read(std::string_view bytes);

  const BloomFilterShape& shape() const { return shape_; }
  std::string_view words() const { return words_; }

  bool Holds(int32_t high, int32_t low) const {
    bool holds = true;
    VisitBloomBits(shape_, high, low, [&](int64_t byte, uint8_t mask) {
      holds = (static_cast<uint8_t>(words_[static_cast<size_t>(byte)]) & mask) != 0;
      return holds;
    });
    return holds;
  }

 private:
  BloomFilterShape shape_;
  std::string_view words_;
};

}  // namespace reprise
