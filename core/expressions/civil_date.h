// Dates of the proleptic Gregorian calendar as days since 1970-01-01, in 64 bits: chrono's years
// end at 32767. The method is Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
#pragma once

#include <cstdint>

namespace reprise {

struct CivilDate {
  int64_t year;
  int32_t month;  ///< 1 to 12
  int32_t day;    ///< 1 to 31
};

constexpr CivilDate CivilOf(int64_t days) {
  const int64_t shifted = days + 719468;
  const int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const int64_t day_of_era = shifted - era * 146097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), static_cast<int32_t>(month),
          static_cast<int32_t>(day_of_year - (153 * shifted_month + 2) / 5 + 1)};
}

constexpr int64_t DaysOf(CivilDate date) {
  const int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year =
      (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

}  // namespace reprise
