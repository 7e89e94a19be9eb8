#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expressions/civil_date.h"
#include "expressions/expression_testing.h"

namespace reprise {
namespace {

const json kNewYork = {
    {"id", "America/New_York"},
    {"offset", -17762},
    {"transitions", {-2717650800, -18000}},
    {"yearly",
     {{3, 8, 7, 7200, 1, -18000, -18000, -14400}, {11, 1, 7, 7200, 1, -18000, -14400, -18000}}}};
const json kZone = {{"zone", kNewYork}};

json With(json attributes, const char* name, json value) {
  attributes[name] = std::move(value);
  return attributes;
}

constexpr int64_t At(int64_t year, int32_t month, int32_t day, int64_t hour, int64_t minute = 0,
                     int64_t micros = 0) {
  return (DaysOf({year, month, day}) * 86400 + hour * 3600 + minute * 60) * 1000000 + micros;
}

TEST(TimestampFieldsTest, OfAnInstantInItsZone) {
  const auto instants = Instants({At(2022, 3, 13, 6, 59, 59999000), At(2022, 3, 13, 7),
                                  std::nullopt, At(1883, 1, 1, 0), At(2021, 11, 7, 5, 30), -1});
  const auto field = [](const char* function, const char* type = "integer") {
    return Call(function, type, {Col(0, "timestamp")}, kZone);
  };
  ExpectValues(field("hour"), {instants}, Ints({1, 3, std::nullopt, 19, 1, 18}));
  ExpectValues(field("minute"), {instants}, Ints({59, 0, std::nullopt, 3, 30, 59}));
  ExpectValues(field("second"), {instants}, Ints({59, 0, std::nullopt, 58, 0, 59}));
  ExpectValues(field("second_with_fraction", "decimal(8,6)"), {instants},
               Decimals(8, 6, {"59999000", "0", std::nullopt, "58000000", "0", "59999999"}));
  ExpectValues(Call("hour", "integer", {Col(0, "timestamp_ntz")}), {Instants({-1}, "")},
               Ints({23}));
}

TEST(TimestampFieldsTest, UnixTimesRoundDown) {
  const auto instants = Instants({-1, 1999, INT64_MIN, INT64_MAX});
  const auto unix_time = [](const char* function) {
    return Call(function, "long", {Col(0, "timestamp")});
  };
  ExpectValues(unix_time("unix_seconds"), {instants},
               Longs({-1, 0, -9223372036855, 9223372036854}));
  ExpectValues(unix_time("unix_millis"), {instants},
               Longs({-1, 1, -9223372036854776, 9223372036854775}));
  ExpectValues(unix_time("unix_micros"), {instants}, Longs({-1, 1999, INT64_MIN, INT64_MAX}));
}

TEST(TruncateTest, TimestampsInTheirZone) {
  const auto truncated = [](const char* level, int64_t micros, int64_t expected) {
    SCOPED_TRACE(level);
    ExpectValues(
        Call("truncate_timestamp", "timestamp", {Col(0, "timestamp")}, With(kZone, "level", level)),
        {Instants({micros, std::nullopt})}, Instants({expected, std::nullopt}));
  };
  truncated("microsecond", -1, -1);
  truncated("millisecond", -1, -1000);
  truncated("second", -1, -1000000);
  truncated("minute", At(1883, 1, 1, 0), At(1883, 1, 1, 0) - 58 * 1000000);
  truncated("hour", At(2021, 11, 7, 6, 30), At(2021, 11, 7, 6));  // the second 1 o'clock
  truncated("hour", At(2021, 11, 7, 5, 30), At(2021, 11, 7, 5));
  truncated("day", At(2022, 3, 13, 12), At(2022, 3, 13, 5));
  truncated("week", At(2022, 3, 14, 3), At(2022, 3, 7, 5));
  truncated("month", At(2022, 3, 31, 12), At(2022, 3, 1, 5));
  truncated("quarter", At(2022, 9, 30, 12), At(2022, 7, 1, 4));
  truncated("year", At(2022, 1, 1, 3), At(2021, 1, 1, 5));
  EXPECT_EQ(
      ErrorOf(Call("truncate_timestamp", "timestamp", {Col(0, "timestamp")}, {{"level", "day"}}),
              {Instants({INT64_MIN})}),
      "java.lang.ArithmeticException message=long overflow");
}

TEST(TruncateTest, Dates) {
  const auto truncated = [](const char* level, const std::shared_ptr<arrow::Array>& expected) {
    const auto day = [](int64_t year, int32_t month, int32_t number) {
      return static_cast<int32_t>(DaysOf({year, month, number}));
    };
    ExpectValues(Call("truncate_date", "date", {Col(0, "date")}, {{"level", level}}),
                 {Dates({day(2024, 2, 29), day(1969, 12, 28), std::nullopt})}, expected);
  };
  const auto days = [](CivilDate a, CivilDate b) {
    return Dates({static_cast<int32_t>(DaysOf(a)), static_cast<int32_t>(DaysOf(b)), std::nullopt});
  };
  truncated("week", days({2024, 2, 26}, {1969, 12, 22}));
  truncated("month", days({2024, 2, 1}, {1969, 12, 1}));
  truncated("quarter", days({2024, 1, 1}, {1969, 10, 1}));
  truncated("year", days({2024, 1, 1}, {1969, 1, 1}));
  EXPECT_EQ(
      ErrorOf(Call("truncate_date", "date", {Col(0, "date")}, {{"level", "day"}}), {Dates({0})}),
      "truncate_date has no attribute \"level\" that it takes");
}

TEST(TimestampAddTest, DaysKeepTheLocalTimeAndTheRestIsExact) {
  const auto added = [](const char* unit, int64_t amount, int64_t micros) {
    auto result = Evaluate(
        Call("timestamp_add", "timestamp", {Col(0, "timestamp")}, With(kZone, unit, amount)),
        {Instants({micros})});
    EXPECT_TRUE(result.ok()) << result.status();
    return static_cast<const arrow::TimestampArray&>(**result).Value(0);
  };
  constexpr int64_t kHour = 3600000000;
  EXPECT_EQ(added("micros", 24 * kHour, At(2022, 3, 12, 7)), At(2022, 3, 13, 6) + kHour);
  EXPECT_EQ(added("micros", 25 * kHour, At(2022, 3, 12, 5)), At(2022, 3, 13, 6));
  EXPECT_EQ(added("micros", -24 * kHour, At(2022, 3, 14, 6, 30)), At(2022, 3, 13, 7, 30));
  EXPECT_EQ(added("months", 1, At(2022, 1, 31, 12)), At(2022, 2, 28, 12));
  EXPECT_EQ(added("months", -12, At(2024, 2, 29, 12)), At(2023, 2, 28, 12));
  EXPECT_EQ(ErrorOf(Call("timestamp_add", "timestamp", {Col(0, "timestamp")}, {{"micros", 1}}),
                    {Instants({INT64_MAX})}),
            "java.lang.ArithmeticException message=long overflow");
}

TEST(DateArithmeticTest, DaysWrapAndMonthsKeepTheDay) {
  const auto dates = Dates({0, INT32_MAX, std::nullopt, 19782});  // the last is 2024-02-29
  ExpectValues(Call("date_add", "date", {Col(0, "date"), Lit(1, "byte")}), {dates},
               Dates({1, INT32_MIN, std::nullopt, 19783}));
  ExpectValues(Call("date_sub", "date", {Col(0, "date"), Lit(-1, "short")}), {dates},
               Dates({1, INT32_MIN, std::nullopt, 19783}));
  ExpectValues(Call("date_diff", "integer", {Col(0, "date"), Lit(-1, "date")}), {dates},
               Ints({1, INT32_MIN, std::nullopt, 19783}));
  ExpectValues(Call("last_day", "date", {Col(0, "date")}), {Dates({0, 19755, std::nullopt})},
               Dates({30, 19782, std::nullopt}));
  ExpectValues(Call("add_months", "date", {Col(0, "date"), Lit(-12, "integer")}),
               {Dates({0, std::nullopt, 19782})}, Dates({-365, std::nullopt, 19416}));
  EXPECT_EQ(ErrorOf(Call("add_months", "date", {Col(0, "date"), Lit(1, "integer")}),
                    {Dates({INT32_MAX})}),
            "ARITHMETIC_OVERFLOW message=integer overflow alternative=");
}

TEST(CastTimestampTest, FollowsTheZone) {
  const auto cast = [](const char* from, const char* to) {
    return Call("cast", to, {Col(0, from)}, With(kZone, "ansi", true));
  };
  const auto instants = Instants({At(2022, 3, 13, 4, 59), At(2022, 3, 13, 7, 30), std::nullopt});
  ExpectValues(cast("timestamp", "date"), {instants}, Dates({19063, 19064, std::nullopt}));
  ExpectValues(cast("date", "timestamp"), {Dates({19064, 19065})},
               Instants({At(2022, 3, 13, 5), At(2022, 3, 14, 4)}));
  ExpectValues(cast("date", "timestamp_ntz"), {Dates({1, std::nullopt})},
               Instants({86400000000, std::nullopt}, ""));
  ExpectValues(cast("timestamp", "timestamp_ntz"), {instants},
               Instants({At(2022, 3, 12, 23, 59), At(2022, 3, 13, 3, 30), std::nullopt}, ""));
  // The first in the gap, the second in the overlap.
  ExpectValues(cast("timestamp_ntz", "timestamp"),
               {Instants({At(2022, 3, 13, 2, 30), At(2021, 11, 7, 1, 30)}, "")},
               Instants({At(2022, 3, 13, 7, 30), At(2021, 11, 7, 5, 30)}));
  ExpectValues(cast("timestamp", "string"),
               {Instants({At(2022, 3, 13, 7, 30, 1250000), std::nullopt})},
               Strings({"2022-03-13 03:30:01.25", std::nullopt}));
  ExpectValues(cast("timestamp_ntz", "string"),
               {Instants({At(10000, 1, 1, 0), At(-1, 1, 1, 0, 0, 1)}, "")},
               Strings({"+10000-01-01 00:00:00", "-0001-01-01 00:00:00.000001"}));
}

TEST(CastTimestampTest, Numbers) {
  const auto cast = [](const char* from, const char* to, bool ansi) {
    return Call("cast", to, {Col(0, from)}, {{"ansi", ansi}});
  };
  ExpectValues(cast("timestamp", "long", true), {Instants({-1, 1500000, std::nullopt})},
               Longs({-1, 1, std::nullopt}));
  ExpectValues(cast("timestamp", "double", true), {Instants({-1, 1500000})}, Doubles({-1e-6, 1.5}));
  ExpectValues(cast("timestamp", "byte", false), {Instants({127999999, 128000000})},
               Bytes({127, std::nullopt}));
  EXPECT_EQ(ErrorOf(cast("timestamp", "byte", true), {Instants({128000000})}),
            "CAST_OVERFLOW value=TIMESTAMP '1970-01-01 00:02:08' sourceType=\"TIMESTAMP\" "
            "targetType=\"TINYINT\"");
  ExpectValues(cast("long", "timestamp", true), {Longs({-2, INT64_MAX, INT64_MIN, std::nullopt})},
               Instants({-2000000, INT64_MAX, INT64_MIN, std::nullopt}));
  ExpectValues(cast("byte", "timestamp", true), {Bytes({-128})}, Instants({-128000000}));
}

}  // namespace
}  // namespace reprise
