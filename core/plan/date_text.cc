#include "plan/date_text.h"

#include <fmt/format.h>

#include <chrono>

namespace reprise {

std::string DateText(int64_t days) {
  if (days < -12'000'000 || days > 11'000'000) return fmt::format("{} days", days);
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace reprise
