#include "checksums/word_sums.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace reprise {
namespace {

constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;

std::vector<uint64_t> RandomWords(size_t count) {
  std::mt19937_64 random(count);
  std::vector<uint64_t> words(count);
  for (uint64_t& word : words) word = random();
  return words;
}

// Whichever part of the words is left over by the vectors.
TEST(WordSums, AreThoseOfPlainLoops) {
  for (size_t count = 0; count < 70; ++count) {
    const std::vector<uint64_t> words = RandomWords(count);
    const std::vector<uint64_t> before = RandomWords(count + 1);
    std::vector<int32_t> numbers;
    for (const uint64_t word : words) numbers.push_back(static_cast<int32_t>(word));

    std::vector<uint64_t> wide = before;
    std::vector<uint64_t> narrow = before;
    const uint64_t wide_sum = AddWords(words, kFactor, wide.data());
    const uint64_t narrow_sum = AddWords(numbers, kFactor, narrow.data());
    uint64_t sums[2] = {};
    for (size_t i = 0; i < count; ++i) {
      const uint64_t number = static_cast<uint64_t>(int64_t{numbers[i]});
      EXPECT_EQ(wide[i], before[i] + words[i] * kFactor);
      EXPECT_EQ(narrow[i], before[i] + number * kFactor);
      sums[0] += words[i];
      sums[1] += number;
    }
    EXPECT_EQ(wide_sum, sums[0]);
    EXPECT_EQ(narrow_sum, sums[1]);
    EXPECT_EQ(wide[count], before[count]) << "beyond the end";
  }
}

// Whether the table fits into registers or not; what lies beyond its end is taken modulo its size.
TEST(WordSums, OfATableAreThoseOfAPlainLoop) {
  for (const size_t size : {1, 16, 32, 64, 128}) {
    const std::vector<uint64_t> table = RandomWords(size);
    for (size_t count = 0; count < 70; ++count) {
      std::vector<int32_t> places;
      for (const uint64_t word : RandomWords(count)) places.push_back(static_cast<int32_t>(word));
      const std::vector<uint64_t> before = RandomWords(count + 1);
      std::vector<uint64_t> after = before;
      uint64_t sum = AddFromTable(table, places, after.data());
      for (size_t i = 0; i < count; ++i) {
        const uint64_t word = table[static_cast<uint32_t>(places[i]) % size];
        EXPECT_EQ(after[i], before[i] + word) << size;
        sum -= word;
      }
      EXPECT_EQ(sum, 0) << size;
      EXPECT_EQ(after[count], before[count]) << "beyond the end";
    }
  }
}

TEST(WordSums, ChainsDoNotDependOnWhereTheyAreCut) {
  const std::vector<uint64_t> hashes = RandomWords(kChainedMax);
  uint64_t ordered = 7;
  uint64_t unordered = 9;
  ChainHashes(hashes, &ordered, &unordered);
  for (const size_t part : {1, 2, 3, 15, 1000}) {
    uint64_t ordered_of_parts = 7;
    uint64_t unordered_of_parts = 9;
    for (size_t at = 0; at < hashes.size(); at += part) {
      const size_t size = std::min(part, hashes.size() - at);
      ChainHashes(std::span(hashes).subspan(at, size), &ordered_of_parts, &unordered_of_parts);
    }
    EXPECT_EQ(ordered_of_parts, ordered) << "parts of " << part;
    EXPECT_EQ(unordered_of_parts, unordered) << "parts of " << part;
  }
  std::vector<uint64_t> turned(hashes.rbegin(), hashes.rend());
  uint64_t ordered_turned = 7;
  uint64_t unordered_turned = 9;
  ChainHashes(turned, &ordered_turned, &unordered_turned);
  EXPECT_NE(ordered_turned, ordered);
  EXPECT_EQ(unordered_turned, unordered);
}

TEST(WordSums, AreMixedAndChainedAtOnce) {
  const std::vector<uint64_t> row_sums = RandomWords(77);
  std::vector<uint64_t> hashes(row_sums.size());
  uint64_t ordered = 7;
  uint64_t unordered = 9;
  MixWords(row_sums, hashes.data());
  ChainHashes(hashes, &ordered, &unordered);
  std::vector<uint64_t> hashes_at_once(row_sums.size());
  uint64_t ordered_at_once = 7;
  uint64_t unordered_at_once = 9;
  MixAndChain(row_sums, hashes_at_once.data(), &ordered_at_once, &unordered_at_once);
  EXPECT_EQ(hashes_at_once, hashes);
  EXPECT_EQ(ordered_at_once, ordered);
  EXPECT_EQ(unordered_at_once, unordered);
}

// Rows of {0, 3, 5, 6} and of {1, 2, 4, 7} have equal sums and squares; with eight more of each,
// equal cubes.
TEST(WordSums, HashesOfOtherRowsAddUpToOtherSums) {
  uint64_t sums[2] = {};
  std::set<uint64_t> hashes;
  for (uint64_t row = 0; row < 16; ++row) {
    uint64_t hash;
    MixWords({&row, 1}, &hash);
    hashes.insert(hash);
    sums[__builtin_popcountll(row) % 2] += hash;
  }
  EXPECT_EQ(hashes.size(), 16);
  EXPECT_NE(sums[0], sums[1]);
}

}  // namespace
}  // namespace reprise
