#include "expressions/wide_division.h"

#include <gtest/gtest.h>

#include <random>

namespace reprise {
namespace {

Int256 PowerOfTen(int exponent) { return Int256::GetScaleMultiplier(exponent); }

TEST(WideDivision, IsRightWhereArrowIsOffByOne) {
  Int256 dividend = Int256(5) * PowerOfTen(66);
  dividend += Int256(-6612);
  const WideDivision result = Divide(dividend, PowerOfTen(31));
  Int256 quotient = Int256(5) * PowerOfTen(35);
  quotient += Int256(-1);
  Int256 remainder = PowerOfTen(31);
  remainder += Int256(-6612);
  EXPECT_EQ(result.quotient, quotient);
  EXPECT_EQ(result.remainder, remainder);
}

TEST(WideDivision, TruncatesTowardsZero) {
  for (const auto& [dividend, divisor, quotient, remainder] : std::vector<std::array<int, 4>>{
           {7, 2, 3, 1}, {-7, 2, -3, -1}, {7, -2, -3, 1}, {-7, -2, 3, -1}}) {
    const Int256 scale = PowerOfTen(40);
    const WideDivision small = Divide(Int256(dividend), Int256(divisor));
    EXPECT_EQ(small.quotient, Int256(quotient));
    EXPECT_EQ(small.remainder, Int256(remainder));
    const WideDivision large = Divide(Int256(dividend) * scale, Int256(divisor) * scale);
    EXPECT_EQ(large.quotient, Int256(quotient));
    EXPECT_EQ(large.remainder, Int256(remainder) * scale);
  }
}

// Words of random length, often all ones or zeros, which is where guesses of digits go wrong.
Int256 RandomInteger(std::mt19937_64& random) {
  std::array<uint64_t, 4> words{};
  const int length = 1 + static_cast<int>(random() % 4);
  for (int i = 0; i < length; ++i) {
    const int choice = static_cast<int>(random() % 4);
    words[i] = choice == 0 ? 0 : choice == 1 ? ~0ULL : random() >> (random() % 64);
  }
  words[3] &= 0x3FFFFFFFFFFFFFFFULL;
  Int256 value(words);
  return random() % 2 ? value : value.Negate();
}

TEST(WideDivision, QuotientTimesDivisorPlusRemainderIsTheDividend) {
  constexpr uint64_t kSeed = 20260;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 200000; ++i) {
    const Int256 dividend = RandomInteger(random);
    const Int256 divisor =
        random() % 4 == 0 ? PowerOfTen(static_cast<int>(random() % 77)) : RandomInteger(random);
    if (divisor == Int256(0)) continue;
    const WideDivision result = Divide(dividend, divisor);
    Int256 back = result.quotient * divisor;
    back += result.remainder;
    ASSERT_EQ(back, dividend) << i;
    ASSERT_TRUE(Int256::Abs(result.remainder) < Int256::Abs(divisor)) << i;
    ASSERT_TRUE(result.remainder == Int256(0) ||
                result.remainder.IsNegative() == dividend.IsNegative())
        << i;
  }
}

}  // namespace
}  // namespace reprise
