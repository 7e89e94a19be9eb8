#include "sql/sql_timestamp.h"

#include <string>

#include "expressions/parse_text.h"
#include "expressions/zone_rules.h"

namespace reprise {

namespace {

// Reads one or two digits below `end` off the front of `text`.
std::optional<int64_t> TakeNumber(std::string_view* text, int64_t end) {
  size_t digits = 0;
  int64_t value = 0;
  while (digits < 2 && digits < text->size() && (*text)[digits] >= '0' && (*text)[digits] <= '9') {
    value = value * 10 + ((*text)[digits++] - '0');
  }
  if (digits == 0 || value >= end) return std::nullopt;
  text->remove_prefix(digits);
  return value;
}

bool Take(std::string_view* text, char c) {
  if (!text->starts_with(c)) return false;
  text->remove_prefix(1);
  return true;
}

std::optional<int64_t> TakeMicros(std::string_view text) {
  if (text.empty() || text.size() > 6) return std::nullopt;
  int64_t micros = 0;
  for (size_t i = 0; i < 6; ++i) {
    const char digit = i < text.size() ? text[i] : '0';
    if (digit < '0' || digit > '9') return std::nullopt;
    micros = micros * 10 + (digit - '0');
  }
  return micros;
}

std::optional<int64_t> MicrosOfDay(std::string_view text) {
  const auto hour = TakeNumber(&text, 24);
  if (!hour || !Take(&text, ':')) return std::nullopt;
  const auto minute = TakeNumber(&text, 60);
  if (!minute) return std::nullopt;
  int64_t micros = (*hour * 3600 + *minute * 60) * kMicrosPerSecond;
  if (text.empty()) return micros;
  if (!Take(&text, ':')) return std::nullopt;
  const auto second = TakeNumber(&text, 60);
  if (!second) return std::nullopt;
  micros += *second * kMicrosPerSecond;
  if (text.empty()) return micros;
  if (!Take(&text, '.')) return std::nullopt;
  const auto fraction = TakeMicros(text);
  if (!fraction) return std::nullopt;
  return micros + *fraction;
}

}  // namespace

std::optional<int64_t> ParseSqlTimestamp(std::string_view text) {
  const size_t gap = text.find_first_of(" T");
  const auto days = ParseDate(text.substr(0, gap));
  if (!days) return std::nullopt;
  const auto micros = gap == std::string_view::npos ? 0 : MicrosOfDay(text.substr(gap + 1));
  if (!micros) return std::nullopt;
  return *days * kSecondsPerDay * kMicrosPerSecond + *micros;
}

}  // namespace reprise
