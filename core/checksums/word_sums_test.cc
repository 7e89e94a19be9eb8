#include "checksums/word_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>
#include <vector>

#include "checksums/value_word.h"

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
      EXPECT_EQ(wide[i], before[i] + Scattered(words[i]) * kFactor);
      EXPECT_EQ(narrow[i], before[i] + Scattered(number) * kFactor);
      sums[0] += Scattered(words[i]);
      sums[1] += Scattered(number);
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

// The sums of all rows that have one of the words in each column, which is weighted by a factor of
// its own, as rows of a table are.
std::vector<uint64_t> SumsOfAllRows(const std::vector<std::vector<uint64_t>>& columns) {
  size_t count = 1;
  for (const auto& words : columns) count *= words.size();
  std::vector<uint64_t> sums(count);
  std::vector<uint64_t> column(count);
  size_t each = 1;
  for (size_t c = 0; c < columns.size(); ++c) {
    for (size_t i = 0; i < count; ++i) column[i] = columns[c][i / each % columns[c].size()];
    const uint64_t step = (c + 1) * kFactor;
    uint64_t factor = 0;
    MixWords({&step, 1}, &factor);
    AddWords(column, factor | 1, sums.data());
    each *= columns[c].size();
  }
  return sums;
}

void ExpectNoneTwice(std::vector<uint64_t> sums, const char* what) {
  // Tests are not optimised, and the C library is.
  std::qsort(sums.data(), sums.size(), sizeof(uint64_t), [](const void* left, const void* right) {
    const auto a = *static_cast<const uint64_t*>(left);
    const auto b = *static_cast<const uint64_t*>(right);
    return (a > b) - (a < b);
  });
  EXPECT_EQ(std::ranges::adjacent_find(sums), sums.end()) << what;
}

template <typename T>
std::vector<uint64_t> Words(size_t count, T first, T step) {
  std::vector<uint64_t> words;
  for (size_t i = 0; i < count; ++i) {
    words.push_back(ValueWord(static_cast<T>(first + static_cast<T>(i) * step)));
  }
  return words;
}

// Ten million rows of what tables are full of.
TEST(WordSums, OfRowsAreTheirOwn) {
  const auto ratings = Words<double>(36, 0, 0.5);
  ExpectNoneTwice(SumsOfAllRows({ratings, ratings, ratings, ratings}), "ratings");
  auto floats = Words<float>(36, -4, 0.25);
  for (uint64_t& word : floats) word <<= 32;  // as RowSummer has them
  ExpectNoneTwice(SumsOfAllRows({floats, floats, floats, floats}), "floats");
  const auto grid = Words<double>(1300, -650, 1);
  ExpectNoneTwice(SumsOfAllRows({grid, grid}), "a grid");
  const auto dates = Words<int32_t>(1300, 18'000, 1);
  ExpectNoneTwice(SumsOfAllRows({dates, dates}), "dates");
  const auto money = Words<int64_t>(1300, 0, 50);
  ExpectNoneTwice(SumsOfAllRows({money, money}), "money");
  const auto codes = Words<int8_t>(6, 0, 1);
  ExpectNoneTwice(SumsOfAllRows({codes, codes, codes, codes, codes, codes, codes, codes}),
                  "enumerations");
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
