#include "scan/parquet_calendar.h"

#include <gtest/gtest.h>

#include <chrono>

namespace reprise {
namespace {

/// Days since 1970-01-01 of a day of the proleptic Gregorian calendar.
int32_t Gregorian(int year, unsigned month, unsigned day) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  return static_cast<int32_t>(std::chrono::sys_days(date).time_since_epoch().count());
}

/// Days since 1970-01-01 of a day of the Julian calendar (the algorithm of the Julian day number).
int32_t Julian(int year, int month, int day) {
  const int a = (14 - month) / 12;
  const int y = year + 4800 - a;
  const int m = month + 12 * a - 3;
  return day + (153 * m + 2) / 5 + 365 * y + y / 4 - 32083 - 2440588;
}

TEST(RebaseDaysTest, KeepsYearMonthAndDay) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (int year = -4000; year <= 1582; ++year) {
    for (int month = 1; month <= (year == 1582 ? 9 : 12); ++month) {
      for (const int day : {1, kDays[month - 1]}) {
        ASSERT_EQ(RebaseJulianToGregorianDays(Julian(year, month, day)),
                  Gregorian(year, month, day))
            << year << "-" << month << "-" << day;
      }
    }
  }
}

TEST(RebaseDaysTest, LeapDaysWithoutATwinBecomeMarchFirst) {
  EXPECT_EQ(RebaseJulianToGregorianDays(Julian(1000, 2, 29)), Gregorian(1000, 3, 1));
  EXPECT_EQ(RebaseJulianToGregorianDays(Julian(1200, 2, 29)), Gregorian(1200, 2, 29));
}

TEST(RebaseDaysTest, KeepsDaysFromTheSwitchOn) {
  EXPECT_EQ(kLastSwitchDay, Gregorian(1582, 10, 15));
  EXPECT_EQ(RebaseJulianToGregorianDays(kLastSwitchDay), kLastSwitchDay);
  EXPECT_EQ(RebaseJulianToGregorianDays(kLastSwitchDay - 1), Gregorian(1582, 10, 4));
  EXPECT_EQ(RebaseJulianToGregorianDays(20000), 20000);
}

TEST(RebaseModesTest, AreThoseOfTheWriter) {
  const RebaseModes configured{RebaseMode::kException, RebaseMode::kLegacy};
  const auto modes = [&](std::vector<std::string> keys, std::vector<std::string> values) {
    const arrow::KeyValueMetadata metadata(std::move(keys), std::move(values));
    return RebaseModesOf(&metadata, configured);
  };
  EXPECT_EQ(RebaseModesOf(nullptr, configured).datetime, RebaseMode::kException);
  EXPECT_EQ(modes({"org.apache.spark.timeZone"}, {"Europe/Rome"}).zone, "Europe/Rome");
  EXPECT_EQ(modes({"writer"}, {"x"}).zone, std::nullopt);
  EXPECT_EQ(modes({"writer"}, {"x"}).int96, RebaseMode::kLegacy);
  const std::string version = "org.apache.spark.version";
  EXPECT_EQ(modes({version}, {"2.4.0"}).datetime, RebaseMode::kLegacy);
  EXPECT_EQ(modes({version}, {"3.0.0"}).datetime, RebaseMode::kCorrected);
  EXPECT_EQ(modes({version}, {"3.0.0"}).int96, RebaseMode::kLegacy);
  EXPECT_EQ(modes({version}, {"3.1.0"}).int96, RebaseMode::kCorrected);
  EXPECT_EQ(modes({version, "org.apache.spark.legacyINT96"}, {"4.1.3", ""}).int96,
            RebaseMode::kLegacy);
  EXPECT_EQ(modes({version, "org.apache.spark.legacyINT96"}, {"4.1.3", ""}).datetime,
            RebaseMode::kCorrected);
}

TEST(RebaseModesTest, AreParsed) {
  EXPECT_EQ(*ParseRebaseMode("LEGACY"), RebaseMode::kLegacy);
  EXPECT_EQ(ParseRebaseMode("legacy").status().message(),
            "rebase mode \"legacy\"; expected CORRECTED, LEGACY or EXCEPTION");
}

}  // namespace
}  // namespace reprise
