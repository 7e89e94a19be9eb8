#include "expressions/plain_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace reprise {
namespace {

TEST(TextValues, IntegersOfDigitsAlone) {
  EXPECT_EQ(ReadPlainInteger("-12"), -12);
  EXPECT_EQ(ReadPlainInteger("9223372036854775807"), std::numeric_limits<int64_t>::max());
  for (const char* text :
       {"", "-", "+1", " 1", "1 ", "1.0", "9223372036854775808", "10000000000000000000000", "٣"}) {
    EXPECT_FALSE(ReadPlainInteger(text)) << text;
  }
}

TEST(TextValues, DecimalsThatNothingIsRoundedOf) {
  EXPECT_TRUE(ReadPlainDecimal("-12.5", 5, 2) == __int128{-1250});
  EXPECT_TRUE(ReadPlainDecimal("0", 1, 0) == __int128{0});
  EXPECT_TRUE(ReadPlainDecimal("999.99", 5, 2) == __int128{99999});
  for (const char* text : {"1000", "12.345", "1,5", "1.", ".5", "1e2", "", "-"}) {
    EXPECT_FALSE(ReadPlainDecimal(text, 5, 2)) << text;
  }
}

TEST(TextValues, DoublesAreTheNearest) {
  EXPECT_EQ(ReadPlainDouble("0.1"), 0.1);
  EXPECT_EQ(ReadPlainDouble("1."), 1.0);
  EXPECT_EQ(ReadPlainDouble("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(ReadPlainDouble("123456789012345678e-30"), 123456789012345678e-30);
  EXPECT_EQ(ReadPlainDouble("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_TRUE(std::signbit(*ReadPlainDouble("-0")));
  EXPECT_TRUE(std::isnan(*ReadPlainDouble("NaN")));
  EXPECT_EQ(ReadPlainFloat("16777217"), 16777216.0F);
  for (const char* text : {"", ".", "e5", "1e", "1e400", "1d", "0x1p3", "Infinity", " 1", "1-2"}) {
    EXPECT_FALSE(ReadPlainDouble(text)) << text;
  }
}

TEST(TextValues, DatesOfFourTwoAndTwoDigits) {
  EXPECT_EQ(ReadPlainDate("1970-01-02"), 1);
  EXPECT_EQ(ReadPlainDate("0001-01-01"), -719162);
  for (const char* text : {"2023-02-29", "2024-1-01", "0000-01-01", "12024-01-01", "2024-01-01 "}) {
    EXPECT_FALSE(ReadPlainDate(text)) << text;
  }
}

TEST(TextValues, TimestampsWithOffsetOrZone) {
  const ZoneRules utc;
  EXPECT_EQ(ReadPlainTimestamp("1970-01-01 00:00:01.5", &utc), 1'500'000);
  EXPECT_EQ(ReadPlainTimestamp("1970-01-02", &utc), int64_t{86'400} * 1'000'000);
  EXPECT_EQ(ReadPlainTimestamp("1970-01-01T02:00:00+02:00", &utc), 0);
  EXPECT_EQ(ReadPlainTimestamp("1970-01-01T00:00:00.000001Z", &utc), 1);
  EXPECT_EQ(ReadPlainTimestamp("1970-01-01 00:00:01", nullptr), 1'000'000);
  EXPECT_FALSE(ReadPlainTimestamp("1970-01-01 00:00:01Z", nullptr)) << "it has a zone";
  for (const char* text : {"1970-01-01 24:00:00", "1970-01-01 00:00", "1970-01-01 00:00:00.",
                           "1970-01-01 00:00:00.1234567", "1970-01-01 00:00:00 Europe/Paris",
                           "1970-01-01 00:00:00+2:00", "1970-01-01 00:00:00+18:01"}) {
    EXPECT_FALSE(ReadPlainTimestamp(text, &utc)) << text;
  }
}

TEST(TextValues, BooleansInAnyLetterCase) {
  EXPECT_EQ(ReadPlainBoolean("tRUE"), true);
  EXPECT_EQ(ReadPlainBoolean("false"), false);
  EXPECT_FALSE(ReadPlainBoolean("yes"));
}

}  // namespace
}  // namespace reprise
