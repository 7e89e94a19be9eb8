#include "expressions/bloom_filter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace reprise {

namespace {

int32_t BigEndianInt(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return static_cast<int32_t>(__builtin_bswap32(value));
}

}  // namespace

// BloomFilter.optimalNumOfHashFunctions; Math.round rounds halves up.
BloomFilterShape BloomFilterShape::For(int32_t version, int64_t items, int64_t bits) {
  const double wanted = static_cast<double>(bits) / static_cast<double>(items) * std::numbers::ln2;
  BloomFilterShape shape;
  shape.version = version;
  shape.hash_count = std::max(1, static_cast<int32_t>(std::floor(wanted + 0.5)));
  shape.word_count = (bits + 63) / 64;
  return shape;
}

void BloomFilterShape::WriteHead(uint8_t* to) const {
  const auto write = [&](int64_t value) {
    const uint32_t swapped = __builtin_bswap32(static_cast<uint32_t>(value));
    std::memcpy(to, &swapped, sizeof(swapped));
    to += sizeof(swapped);
  };
  write(version);
  write(hash_count);
  if (version == 2) write(seed);
  write(word_count);
}

Result<BloomFilter> BloomFilter::Read(std::string_view bytes) {
  constexpr size_t kInt = sizeof(int32_t);
  BloomFilter filter;
  BloomFilterShape& shape = filter.shape_;
  shape.version = bytes.size() < kInt ? 0 : BigEndianInt(bytes, 0);
  const auto head = static_cast<size_t>(shape.head_bytes());
  const bool is_known = shape.version == 1 || shape.version == 2;
  if (!is_known || bytes.size() < head) {
    return Status::Invalid("a Bloom filter of ", bytes.size(), " bytes and version ", shape.version,
                           ", expected version 1 or 2");
  }
  shape.hash_count = BigEndianInt(bytes, kInt);
  if (shape.version == 2) shape.seed = BigEndianInt(bytes, 2 * kInt);
  shape.word_count = BigEndianInt(bytes, head - kInt);
  filter.words_ = bytes.substr(head);
  if (shape.word_count <= 0 ||
      filter.words_.size() != static_cast<size_t>(shape.word_count) * sizeof(uint64_t)) {
    return Status::Invalid("a Bloom filter of ", shape.word_count, " words in ",
                           filter.words_.size(), " bytes");
  }
  return filter;
}

}  // namespace reprise
