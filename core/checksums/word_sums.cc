#include "checksums/word_sums.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <array>
#include <bit>
#include <optional>

#include "base/check.h"

namespace reprise {

namespace {

// Odd constants without structure.
constexpr uint64_t kChain = 0x9FB21C651E98DF25;
constexpr uint64_t kFirstMix = 0xD6E8FEB86659FD93;
constexpr uint64_t kSecondMix = 0xA0761D6478BD642F;

// Which vectors the processor has is seen when the program starts. Of AVX-512 the loops make use of
// multiplications of 64 bits, which AVX2 has to put together; on aarch64 all have the same vectors.
#if defined(__x86_64__)
#define REPRISE_WIDE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define REPRISE_WIDE
#endif
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
  return AddEach(count, factor, row_sums, [=](size_t i) { return Scattered(words[i]); });
}

REPRISE_WIDE uint64_t AddNarrow(const int32_t* numbers, size_t count, uint64_t factor,
                                uint64_t* row_sums) {
  return AddEach(count, factor, row_sums,
                 [=](size_t i) { return Scattered(static_cast<uint64_t>(int64_t{numbers[i]})); });
}

REPRISE_INLINE uint64_t Mixed(uint64_t word) {
  word ^= word >> 32;
  word *= kFirstMix;
  word ^= word >> 32;
  word *= kSecondMix;
  return word ^ (word >> 32);
}

REPRISE_WIDE void Mix(const uint64_t* row_sums, size_t count, uint64_t* __restrict hashes) {
  for (size_t i = 0; i < count; ++i) hashes[i] = Mixed(row_sums[i]);
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

// Both in one loop, which takes less time than two.
REPRISE_WIDE uint64_t MixWeighted(const uint64_t* row_sums, const uint64_t* weights, size_t count,
                                  uint64_t* __restrict hashes, uint64_t* sum) {
  uint64_t products = 0;
  uint64_t words_sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t hash = Mixed(row_sums[i]);
    hashes[i] = hash;
    products += hash * weights[i];
    words_sum += hash;
  }
  *sum += words_sum;
  return products;
}

REPRISE_WIDE void Fill(uint64_t* words, size_t count, uint64_t word) {
  for (size_t i = 0; i < count; ++i) words[i] = word;
}

#if defined(__x86_64__)

// AVX2 multiplies halves of words only, of which the compiler makes three of Scattered's one.
struct HalfVectors {
  __m256i factor;
  __m256i upper_factor;

  __attribute__((target("avx2"), always_inline)) explicit HalfVectors(uint64_t by)
      : factor(_mm256_set1_epi64x(static_cast<int64_t>(by))),
        upper_factor(_mm256_set1_epi64x(kUpperFactor)) {}

  __attribute__((target("avx2"), always_inline)) __m256i Spread(__m256i words) const {
    const __m256i upper = _mm256_mul_epu32(_mm256_srli_epi64(words, 32), upper_factor);
    const __m256i sum = _mm256_add_epi64(words, upper);
    return _mm256_xor_si256(sum, _mm256_srli_epi64(sum, 32));
  }
  __attribute__((target("avx2"), always_inline)) __m256i Product(__m256i words) const {
    const __m256i crossed =
        _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(words, 32), factor),
                         _mm256_mul_epu32(words, _mm256_srli_epi64(factor, 32)));
    return _mm256_add_epi64(_mm256_mul_epu32(words, factor), _mm256_slli_epi64(crossed, 32));
  }
};

__attribute__((target("avx2"), always_inline)) inline __m256i FourWords(const uint64_t* words) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
}
__attribute__((target("avx2"), always_inline)) inline __m256i FourWords(const int32_t* numbers) {
  return _mm256_cvtepi32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers)));
}

template <typename Word>
__attribute__((target("avx2"))) uint64_t AddByHalves(const Word* words, size_t count,
                                                     uint64_t factor, uint64_t* row_sums) {
  constexpr size_t kWords = 4;
  const HalfVectors by(factor);
  __m256i sums = _mm256_setzero_si256();
  size_t i = 0;
  for (; i + kWords <= count; i += kWords) {
    const __m256i spread = by.Spread(FourWords(words + i));
    auto* const out = reinterpret_cast<__m256i*>(row_sums + i);
    _mm256_storeu_si256(out, _mm256_add_epi64(_mm256_loadu_si256(out), by.Product(spread)));
    sums = _mm256_add_epi64(sums, spread);
  }
  uint64_t parts[kWords];
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(parts), sums);
  const auto rest = [=](size_t at) {
    return Scattered(static_cast<uint64_t>(static_cast<int64_t>(words[i + at])));
  };
  return parts[0] + parts[1] + parts[2] + parts[3] + AddEach(count - i, factor, row_sums + i, rest);
}

bool HasHalvesOnly() {
  static const bool has =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("avx512dq") == 0;
  return has;
}

// What follows answers only where it is faster than the plain loop.
template <typename Word>
std::optional<uint64_t> AddByVectors(std::span<const Word> words, uint64_t factor,
                                     uint64_t* row_sums) {
  if (!HasHalvesOnly()) return std::nullopt;
  return AddByHalves(words.data(), words.size(), factor, row_sums);
}

constexpr size_t kLane = 8;  // words of a vector
constexpr size_t kPair = 2 * kLane;

// A table of `pairs` times 16 words stays in registers, from which vectors take words by place.
template <size_t pairs>
struct RegisterTable {
  __m512i words[2 * pairs];

  __attribute__((target("avx512f"), always_inline)) explicit RegisterTable(const uint64_t* table) {
    for (size_t i = 0; i < 2 * pairs; ++i) words[i] = _mm512_loadu_si512(table + i * kLane);
  }

  __attribute__((target("avx512f"), always_inline)) __m512i At(__m256i places) const {
    const __m512i at = _mm512_cvtepi32_epi64(places);
    __m512i found = _mm512_permutex2var_epi64(words[0], at, words[1]);
    if constexpr (pairs > 1) {
      const __m512i pair_of =
          _mm512_and_epi64(_mm512_srli_epi64(at, 4), _mm512_set1_epi64(pairs - 1));
      for (size_t pair = 1; pair < pairs; ++pair) {
        found = _mm512_mask_mov_epi64(
            found, _mm512_cmpeq_epi64_mask(pair_of, _mm512_set1_epi64(pair)),
            _mm512_permutex2var_epi64(words[2 * pair], at, words[2 * pair + 1]));
      }
    }
    return found;
  }
};

template <size_t pairs>
__attribute__((target("avx512f"))) uint64_t AddFromRegisters(const uint64_t* words,
                                                             const int32_t* places, size_t count,
                                                             uint64_t* row_sums) {
  const RegisterTable<pairs> table(words);
  __m512i sum = _mm512_setzero_si512();
  size_t i = 0;
  for (; i + kLane <= count; i += kLane) {
    const __m512i found =
        table.At(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(places + i)));
    _mm512_storeu_si512(row_sums + i, _mm512_add_epi64(_mm512_loadu_si512(row_sums + i), found));
    sum = _mm512_add_epi64(sum, found);
  }
  const auto rest = [=](size_t at) { return words[places[i + at] & (pairs * kPair - 1)]; };
  return _mm512_reduce_add_epi64(sum) + AddEach(count - i, 1, row_sums + i, rest);
}

std::optional<uint64_t> AddFromTableByVectors(std::span<const uint64_t> table,
                                              std::span<const int32_t> places, uint64_t* row_sums) {
  if (__builtin_cpu_supports("avx512f") == 0) return std::nullopt;
  const auto add = [&](auto&& from_registers) {
    return from_registers(table.data(), places.data(), places.size(), row_sums);
  };
  if (table.size() == kPair) return add(AddFromRegisters<1>);
  if (table.size() == 2 * kPair) return add(AddFromRegisters<2>);
  if (table.size() == 4 * kPair) return add(AddFromRegisters<4>);
  return std::nullopt;
}

#else

template <typename Word>
std::optional<uint64_t> AddByVectors(std::span<const Word>, uint64_t, uint64_t*) {
  return std::nullopt;
}

std::optional<uint64_t> AddFromTableByVectors(std::span<const uint64_t>, std::span<const int32_t>,
                                              uint64_t*) {
  return std::nullopt;
}

#endif

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
  if (const auto sum = AddByVectors(words, factor, row_sums)) return *sum;
  return AddWide(words.data(), words.size(), factor, row_sums);
}

uint64_t AddWords(std::span<const int32_t> numbers, uint64_t factor, uint64_t* row_sums) {
  if (const auto sum = AddByVectors(numbers, factor, row_sums)) return *sum;
  return AddNarrow(numbers.data(), numbers.size(), factor, row_sums);
}

uint64_t AddFromTable(std::span<const uint64_t> table, std::span<const int32_t> places,
                      uint64_t* row_sums) {
  REPRISE_CHECK(std::has_single_bit(table.size()), "a table of {} words", table.size());
  if (const auto sum = AddFromTableByVectors(table, places, row_sums)) return *sum;
  // Vectors would gather, which takes longer than to load one by one.
  const size_t mask = table.size() - 1;
  return AddEach(places.size(), 1, row_sums, [=](size_t i) { return table[places[i] & mask]; });
}

void FillWords(uint64_t word, std::span<uint64_t> words) { Fill(words.data(), words.size(), word); }

void MixWords(std::span<const uint64_t> row_sums, uint64_t* hashes) {
  Mix(row_sums.data(), row_sums.size(), hashes);
}

// A polynomial in kChain, whose terms need not wait for each other.
void ChainHashes(std::span<const uint64_t> hashes, uint64_t* ordered, uint64_t* unordered) {
  const uint64_t* powers = kPowers.data() + kChainedMax - hashes.size();
  const uint64_t terms = Weighted(hashes.data(), powers + 1, hashes.size(), unordered);
  *ordered = *ordered * powers[0] + terms;
}

void MixAndChain(std::span<const uint64_t> row_sums, uint64_t* hashes, uint64_t* ordered,
                 uint64_t* unordered) {
  const uint64_t* powers = kPowers.data() + kChainedMax - row_sums.size();
  const uint64_t terms =
      MixWeighted(row_sums.data(), powers + 1, row_sums.size(), hashes, unordered);
  *ordered = *ordered * powers[0] + terms;
}

}  // namespace reprise
