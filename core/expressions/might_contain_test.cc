// What BloomFilters of Spark 4.1.3 answer: of 64 bits and two hashes, into which 0, 1, -1, 42, the
// least and the largest long and 1234567890123 were put, as writeTo gives them.
#include <gtest/gtest.h>

#include "expressions/expression_testing.h"

namespace reprise {
namespace {

constexpr const char* kVersion1 = "AAAAAQAAAAIAAAABSABZAhACBBI=";
constexpr const char* kVersion2 = "AAAAAgAAAAIAAABNAAAAAUAVCAIAUBgQ";  // seed 77

ExpressionSpec MightContain(const json& filter) {
  return Call("might_contain", "boolean", {Lit(filter, "binary"), Col(0, "long")});
}

/// Which of the numbers -60 to 59 times 1,000,003 the filter may hold.
std::vector<int64_t> Held(const char* filter) {
  std::vector<std::optional<int64_t>> numbers;
  for (int64_t i = -60; i < 60; ++i) numbers.emplace_back(i * 1000003);
  const auto found = Evaluate(MightContain(filter), {Longs(numbers)});
  EXPECT_TRUE(found.ok()) << found.status();
  std::vector<int64_t> held;
  for (int64_t i = 0; i < 120; ++i) {
    if (static_cast<const arrow::BooleanArray&>(**found).Value(i)) held.push_back(i - 60);
  }
  return held;
}

TEST(MightContainTest, WhatWasPutInIsHeld) {
  const auto put = Longs({0, 1, -1, 42, std::numeric_limits<int64_t>::min(),
                          std::numeric_limits<int64_t>::max(), 1234567890123, std::nullopt});
  const auto expected = Booleans({true, true, true, true, true, true, true, std::nullopt});
  ExpectValues(MightContain(kVersion1), {put}, expected);
  ExpectValues(MightContain(kVersion2), {put}, expected);
}

TEST(MightContainTest, OthersAreHeldByMistakeAsInSpark) {
  EXPECT_EQ(Held(kVersion1), (std::vector<int64_t>{-60, -38, -16, 0, 18, 33}));
  EXPECT_EQ(Held(kVersion2), (std::vector<int64_t>{-33, -21, 0, 6}));
}

TEST(MightContainTest, NoFilterHoldsNobodyKnowsWhat) {
  ExpectValues(MightContain(nullptr), {Longs({1, std::nullopt})},
               Booleans({std::nullopt, std::nullopt}));
}

TEST(MightContainTest, DamagedFiltersAreErrors) {
  const auto error = [](const char* filter) {
    return Evaluate(MightContain(filter), {Longs({1})}).status().message();
  };
  EXPECT_EQ(error("AAAAAw=="), "a Bloom filter of 4 bytes and version 3, expected version 1 or 2");
  EXPECT_EQ(error("AAAAAQAAAAIAAAACSABZAhACBBI="), "a Bloom filter of 2 words in 8 bytes");
}

}  // namespace
}  // namespace reprise
