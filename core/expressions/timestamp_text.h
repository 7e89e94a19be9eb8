// Timestamps as text.
#pragma once

#include <fmt/format.h>

#include <string>

#include "expressions/civil_date.h"
#include "expressions/zone_rules.h"

namespace reprise {

/// "1995-09-17"; years beyond 9999 carry a plus, years before 0 a minus (Spark's DateFormatter).
inline std::string DateToText(int64_t days) {
  const auto [year, month, day] = CivilOf(days);
  const char* sign = year < 0 ? "-" : year > 9999 ? "+" : "";
  return fmt::format("{}{:04}-{:02}-{:02}", sign, year < 0 ? -year : year, month, day);
}

/// "1995-09-17 12:30:15.25": of local seconds and microseconds of the second, without zeros at the
/// end (Spark's FractionTimestampFormatter).
inline std::string TimestampToText(int64_t local, int64_t micros) {
  const int64_t second = FloorMod(local, kSecondsPerDay);
  std::string text =
      fmt::format("{} {:02}:{:02}:{:02}", DateToText(FloorDiv(local, kSecondsPerDay)),
                  second / 3600, second / 60 % 60, second % 60);
  if (micros == 0) return text;
  text += fmt::format(".{:06}", micros);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

}  // namespace reprise
