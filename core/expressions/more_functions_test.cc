// locate, next_day, months_between, is_nan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "expressions/civil_date.h"
#include "expressions/expression_testing.h"

namespace reprise {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr int64_t InstantAt(int64_t year, int32_t month, int32_t day, int64_t seconds = 0) {
  return (DaysOf({year, month, day}) * 86400 + seconds) * 1000000;
}

TEST(LocateTest, CountsCharactersFromTheStart) {
  const auto locate = [](int start) {
    return Call("locate", "integer", {Col(0, "string"), Col(1, "string")}, {{"start", start}});
  };
  const std::vector<std::shared_ptr<arrow::Array>> columns = {
      Strings({"a", "ö", "", std::nullopt, "x", "an"}),
      Strings({"banana", "größe ö", "abc", "abc", std::nullopt, "banana"})};
  ExpectValues(locate(1), columns, Ints({2, 3, 1, std::nullopt, std::nullopt, 2}));
  ExpectValues(locate(4), columns, Ints({4, 7, 1, std::nullopt, std::nullopt, 4}));
  ExpectValues(locate(5), columns, Ints({6, 7, 1, std::nullopt, std::nullopt, 0}));
  ExpectValues(locate(100), columns, Ints({0, 0, 1, std::nullopt, std::nullopt, 0}));
  ExpectValues(locate(0), columns, Ints({0, 0, 0, std::nullopt, std::nullopt, 0}));
}

TEST(NextDayTest, IsAfterTheDateAndWraps) {
  const auto next = [](int day) {
    return Call("next_day", "date", {Col(0, "date")}, {{"day", day}});
  };
  const int32_t most = std::numeric_limits<int32_t>::max();
  ExpectValues(next(5), {Dates({16449, 16455, std::nullopt, 0, -1})},
               Dates({16455, 16462, std::nullopt, 5, 5}));
  ExpectValues(next(0), {Dates({0, -7, -8})}, Dates({7, 0, -7}));
  ExpectValues(next(1), {Dates({most})}, Dates({std::numeric_limits<int32_t>::min() + 6}));
  EXPECT_EQ(ErrorOf(next(7), {Dates({0})}),
            "next_day: the attribute \"day\" is no number from 0 to 6");
}

TEST(MonthsBetweenTest, IsWholeOnEqualDaysAndMonthEnds) {
  const auto between = [](bool round) {
    return Call("months_between", "double", {Col(0, "timestamp"), Col(1, "timestamp")},
                {{"round", round}});
  };
  const std::vector<std::shared_ptr<arrow::Array>> columns = {
      Instants({InstantAt(1997, 2, 28, 37800), InstantAt(2024, 3, 31), InstantAt(2024, 2, 29, 5),
                InstantAt(2024, 1, 15), std::nullopt, InstantAt(2020, 1, 1)}),
      Instants({InstantAt(1996, 10, 30), InstantAt(2024, 2, 29, 100), InstantAt(2023, 2, 28),
                InstantAt(2024, 3, 15, 7), InstantAt(2024, 1, 1), InstantAt(2020, 1, 2)})};
  ExpectValues(between(true), columns,
               Doubles({3.94959677, 1.0, 12.0, -2.0, std::nullopt, -0.03225806}));
  ExpectValues(between(false), columns,
               Doubles({3.9495967741935485, 1.0, 12.0, -2.0, std::nullopt, -1.0 / 31}));
}

TEST(IsNanTest, NullIsNone) {
  ExpectValues(Call("is_nan", "boolean", {Col(0, "double")}),
               {Doubles({1.5, kNan, std::nullopt, -0.0})}, Booleans({false, true, false, false}));
}

}  // namespace
}  // namespace reprise
