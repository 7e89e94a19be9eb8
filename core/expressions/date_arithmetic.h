// Dates moved by days and months, as Spark's DateTimeUtils does it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "expressions/civil_date.h"
#include "expressions/zone_rules.h"

namespace reprise {

/// Java's addition of ints.
constexpr int32_t Wrapped(int32_t left, int32_t right) {
  return static_cast<int32_t>(static_cast<uint32_t>(left) + static_cast<uint32_t>(right));
}

/// Days of the week as DateTimeUtils counts them: 1970-01-01 was a Thursday.
inline constexpr int32_t kMonday = 4;

/// DateTimeUtils.getNextDateForDayOfWeek.
constexpr int32_t NextDayOfWeek(int32_t start, int32_t day_of_week) {
  const int32_t distance = Wrapped(day_of_week - 1, static_cast<int32_t>(-int64_t{start}));
  return Wrapped(Wrapped(start, 1), (distance % 7 + 7) % 7);
}

constexpr int32_t DaysInMonth(int64_t year, int32_t month) {
  constexpr int32_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[month - 1];
}

/// LocalDate.plusMonths: the day of the month is kept, or else the month's last.
constexpr int64_t PlusMonths(int64_t days, int64_t months) {
  const CivilDate date = CivilOf(days);
  const int64_t month = date.month - 1 + months;
  const int64_t year = date.year + FloorDiv(month, 12);
  const auto in_year = static_cast<int32_t>(FloorMod(month, 12)) + 1;
  return DaysOf({year, in_year, std::min(date.day, DaysInMonth(year, in_year))});
}

}  // namespace reprise
