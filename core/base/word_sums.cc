#include "base/word_sums.h"

#include <array>

namespace reprise {

namespace {

// Odd constants without structure.
constexpr uint64_t kChain = 0x9FB21C651E98DF25;
constexpr uint64_t kFirstMix = 0xD6E8FEB86659FD93;
constexpr uint64_t kSecondMix = 0xA0761D6478BD642F;

// Of AVX-512 the loops make use of multiplications of 64 bits, which AVX2 has to put together.
#define REPRISE_WIDE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
// What a loop is compiled for belongs to the function that it becomes a part of.
#define REPRISE_INLINE inline __attribute__((always_inline))

template <typename WordAt>
REPRISE_INLINE uint64_t AddEach(size_t count, uint64_t factor, uint64_t* __restrict row_sums,
                                WordAt&& word_at) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t word = word_at(i);
    row_sums[i] += word * factor;
    sum += word;
  }
  return sum;
}

REPRISE_WIDE uint64_t AddWide(const uint64_t* words, size_t count, uint64_t factor,
                              uint64_t* row_sums) {
  return AddEach(count, factor, row_sums, [=](size_t i) { return words[i]; });
}

REPRISE_WIDE uint64_t AddNarrow(const int32_t* numbers, size_t count, uint64_t factor,
                                uint64_t* row_sums) {
  return AddEach(count, factor, row_sums,
                 [=](size_t i) { return static_cast<uint64_t>(int64_t{numbers[i]}); });
}

REPRISE_WIDE void Mix(const uint64_t* row_sums, size_t count, uint64_t* __restrict hashes) {
  for (size_t i = 0; i < count; ++i) {
    uint64_t word = row_sums[i];
    word ^= word >> 32;
    word *= kFirstMix;
    word ^= word >> 32;
    word *= kSecondMix;
    hashes[i] = word ^ (word >> 32);
  }
}

// The sum of the products.
REPRISE_WIDE uint64_t Weighted(const uint64_t* words, const uint64_t* weights, size_t count,
                               uint64_t* sum) {
  uint64_t products = 0;
  uint64_t words_sum = 0;
  for (size_t i = 0; i < count; ++i) {
    products += words[i] * weights[i];
    words_sum += words[i];
  }
  *sum += words_sum;
  return products;
}

#undef REPRISE_INLINE
#undef REPRISE_WIDE

// kChain to the power of kChainedMax - i.
constexpr auto kPowers = [] {
  std::array<uint64_t, kChainedMax + 1> powers = {};
  powers[kChainedMax] = 1;
  for (int64_t i = kChainedMax; i > 0; --i) powers[i - 1] = powers[i] * kChain;
  return powers;
}();

}  // namespace

uint64_t AddWords(std::span<const uint64_t> words, uint64_t factor, uint64_t* row_sums) {
  return AddWide(words.data(), words.size(), factor, row_sums);
}

uint64_t AddWords(std::span<const int32_t> numbers, uint64_t factor, uint64_t* row_sums) {
  return AddNarrow(numbers.data(), numbers.size(), factor, row_sums);
}

// Vectors would gather, which takes longer than to load one by one.
uint64_t AddFromTable(const uint64_t* table, std::span<const int32_t> places, uint64_t* row_sums) {
  return AddEach(places.size(), 1, row_sums, [=](size_t i) { return table[places[i]]; });
}

void MixWords(std::span<const uint64_t> row_sums, uint64_t* hashes) {
  Mix(row_sums.data(), row_sums.size(), hashes);
}

// A polynomial in kChain, whose terms need not wait for each other.
void ChainHashes(std::span<const uint64_t> hashes, uint64_t* ordered, uint64_t* unordered) {
  const uint64_t* powers = kPowers.data() + kChainedMax - hashes.size();
  const uint64_t terms = Weighted(hashes.data(), powers + 1, hashes.size(), unordered);
  *ordered = *ordered * powers[0] + terms;
}

}  // namespace reprise
