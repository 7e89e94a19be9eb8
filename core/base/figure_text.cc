#include "base/figure_text.h"

#include <fmt/format.h>

namespace reprise {

std::string Thousands(int64_t value) {
  std::string text = std::to_string(value);
  const int first = value < 0 ? 1 : 0;
  for (int at = static_cast<int>(text.size()) - 3; at > first; at -= 3) text.insert(at, 1, ',');
  return text;
}

std::string ByteText(int64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1000;
  for (const char* unit : {"kB", "MB", "GB"}) {
    if (value < 999.95) return fmt::format("{:.1f} {}", value, unit);
    value /= 1000;
  }
  return fmt::format("{:.1f} TB", value);
}

std::string DurationText(int64_t nanoseconds) {
  const double milliseconds = static_cast<double>(nanoseconds) / 1e6;
  if (milliseconds < 10) return fmt::format("{:.3f} ms", milliseconds);
  if (milliseconds < 1000) return fmt::format("{:.1f} ms", milliseconds);
  return fmt::format("{:.2f} s", milliseconds / 1000);
}

std::string MillisecondText(int64_t ms) {
  return ms < 1000 ? fmt::format("{} ms", ms) : DurationText(ms * 1'000'000);
}

std::string Counted(int64_t count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", Thousands(count), count == 1 ? singular : plural);
}

}  // namespace reprise
