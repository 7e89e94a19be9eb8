#include "operators/aggregate/decimal_average.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

// The expected values are Spark's: avg() of the same decimals.
std::string Average(const std::string& sum, int sum_scale, int64_t count, DataType result,
                    bool ansi = false) {
  const auto average =
      AverageDecimals(*arrow::Decimal256::FromString(sum), sum_scale, count, result, ansi);
  if (!average.ok()) return average.status().message();
  if (!average->has_value()) return "null";
  return Widen(**average).ToString(result.scale);
}

TEST(DecimalAverage, RoundsHalfUp) {
  EXPECT_EQ(Average("302", 2, 3, Decimal(7, 6)), "1.006667");
  EXPECT_EQ(Average("1", 0, 8, Decimal(5, 2)), "0.13");
  EXPECT_EQ(Average("-1", 0, 8, Decimal(5, 2)), "-0.13");
  EXPECT_EQ(Average("-302", 2, 3, Decimal(7, 6)), "-1.006667");
  EXPECT_EQ(Average("0", 2, 3, Decimal(7, 6)), "0.000000");
}

TEST(DecimalAverage, WideSumsGoDigitByDigit) {
  // 2.7e38 does not fit 128 bits signed once scaled.
  EXPECT_EQ(Average("270000000000000000000000000000000000000", 38, 3, Decimal(38, 38)),
            "0.90000000000000000000000000000000000000");
  EXPECT_EQ(Average("99999999999999999999999999999999999999", 4, 1, Decimal(38, 4)),
            "9999999999999999999999999999999999.9999");
  EXPECT_EQ(Average("99999999999999999999999999999999999998", 38, 3, Decimal(38, 38)),
            "0.33333333333333333333333333333333333333");
  EXPECT_EQ(Average("5", 38, 10, Decimal(38, 38)), "1E-38");
}

TEST(DecimalAverage, CutsOffBeforeItRounds) {
  // 0.499999 of the last digit would become a half, and then one, if the 39th digit were rounded.
  EXPECT_EQ(Average("499999", 38, 1000000, Decimal(38, 38)), "0E-38");
  EXPECT_EQ(Average("500000", 38, 1000000, Decimal(38, 38)), "1E-38");
  EXPECT_EQ(Average("-500000", 38, 1000000, Decimal(38, 38)), "-1E-38");
}

TEST(DecimalAverage, OutOfRange) {
  EXPECT_EQ(Average("90000000000000000000000000000000000000", 2, 1, Decimal(38, 6)), "null");
  EXPECT_EQ(
      Average("-90000000000000000000000000000000000000", 0, 3, Decimal(38, 4), true),
      "-30000000000000000000000000000000000000.000000000000000000000000000000000000000 cannot "
      "be represented as Decimal(38, 4). If necessary set \"spark.sql.ansi.enabled\" to "
      "\"false\" to bypass this error, and return NULL instead.");
  EXPECT_TRUE(Average("50000000000000000000000000000000000000", 0, 3, Decimal(38, 4), true)
                  .starts_with("16666666666666666666666666666666666666."
                               "666666666666666666666666666666666666666 cannot"));
}

TEST(DecimalAverage, FastAndExactPathsAgree) {
  // The same quotient with a scale that the fast path takes and, scaled up, one that it cannot.
  for (int64_t sum = -2000; sum <= 2000; sum += 7) {
    for (int64_t count = 1; count < 40; ++count) {
      const auto fast = AverageDecimals(Widen(sum), 2, count, Decimal(20, 6), false);
      const Int128 huge = Int128{sum} * PowerOfTen(34);  // scale 36
      const auto exact = AverageDecimals(Widen(huge), 36, count, Decimal(20, 6), false);
      ASSERT_EQ(**fast, **exact) << sum << " / " << count;
    }
  }
}

}  // namespace
}  // namespace reprise
