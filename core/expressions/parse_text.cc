#include "expressions/parse_text.h"

#include <limits>

#include "base/ascii.h"
#include "expressions/date_arithmetic.h"

namespace reprise {

namespace {

// UTF8String.isWhitespaceOrISOControl of one byte.
bool IsBlank(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= ' ' || byte == 0x7F;
}

std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

bool IsSegment(int segment, int digits) {
  return segment == 0 ? digits >= 4 && digits <= 7 : digits > 0 && digits <= 2;
}

}  // namespace

std::optional<int64_t> ParseLong(std::string_view text, bool allow_fraction) {
  text = WithoutBlanks(text);
  if (text.empty()) return std::nullopt;
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  int64_t value = 0;  // negative, since there is one more of those
  size_t i = 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && allow_fraction) break;
    if (!IsAsciiDigit(text[i])) return std::nullopt;
    if (__builtin_mul_overflow(value, int64_t{10}, &value) ||
        __builtin_sub_overflow(value, int64_t{text[i] - '0'}, &value)) {
      return std::nullopt;
    }
  }
  for (++i; i < text.size(); ++i) {
    if (!IsAsciiDigit(text[i])) return std::nullopt;
  }
  if (negative) return value;
  if (value == std::numeric_limits<int64_t>::min()) return std::nullopt;
  return -value;
}

std::optional<int32_t> ParseDate(std::string_view text) {
  text = WithoutBlanks(text);
  if (text.empty()) return std::nullopt;
  int64_t sign = 1;
  if (text.front() == '-' || text.front() == '+') {
    sign = text.front() == '-' ? -1 : 1;
    text.remove_prefix(1);
  }
  int segments[] = {1, 1, 1};
  int segment = 0;
  int value = 0;
  int digits = 0;
  size_t i = 0;
  for (; i < text.size() && text[i] != ' ' && text[i] != 'T'; ++i) {
    if (segment < 2 && text[i] == '-') {
      if (!IsSegment(segment, digits)) return std::nullopt;
      segments[segment++] = value;
      value = 0;
      digits = 0;
    } else {
      if (!IsAsciiDigit(text[i]) || digits == 7) return std::nullopt;
      value = value * 10 + (text[i] - '0');
      ++digits;
    }
  }
  if (!IsSegment(segment, digits)) return std::nullopt;
  if (segment < 2 && i < text.size()) return std::nullopt;  // only a full date may have a tail
  segments[segment] = value;
  const int64_t year = sign * segments[0];
  if (segments[1] < 1 || segments[1] > 12) return std::nullopt;
  if (segments[2] < 1 || segments[2] > DaysInMonth(year, segments[1])) return std::nullopt;
  const int64_t days = DaysOf({year, segments[1], segments[2]});
  if (days != static_cast<int32_t>(days)) return std::nullopt;
  return static_cast<int32_t>(days);
}

}  // namespace reprise
