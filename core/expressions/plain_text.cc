#include "expressions/plain_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/ascii.h"
#include "expressions/parse_text.h"

namespace reprise {

namespace {

constexpr size_t kDateLength = 10;                     // "2024-02-29"
constexpr size_t kTimeLength = 8;                      // "12:30:15"
constexpr int64_t kSignificandMax = int64_t{1} << 53;  // all integers up to it are doubles
constexpr double kExactPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};  // exactly

bool AreDigits(std::string_view text) { return std::ranges::all_of(text, IsAsciiDigit); }

/// Takes a minus from the front.
bool TakeMinus(std::string_view* text) {
  if (!text->starts_with('-')) return false;
  text->remove_prefix(1);
  return true;
}

/// Two digits at `at`.
int64_t TwoDigits(std::string_view text, size_t at) {
  return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

/// A number without sign: "12", "12.", ".5", "12.5e-3".
struct PlainNumber {
  int64_t digits = 0;    // of at most 18
  int64_t exponent = 0;  // of ten
};

/// Nothing where it has too many digits, or is none.
std::optional<PlainNumber> ReadDigits(std::string_view text) {
  PlainNumber number;
  size_t at = 0;
  size_t count = 0;
  bool has_point = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !has_point) {
      has_point = true;
      continue;
    }
    if (!IsAsciiDigit(text[at])) break;
    if (++count > 18) return std::nullopt;
    number.digits = number.digits * 10 + (text[at] - '0');
    if (has_point) --number.exponent;
  }
  if (count == 0) return std::nullopt;
  if (at == text.size()) return number;
  if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
  std::string_view power = text.substr(at + 1);
  const bool is_below = TakeMinus(&power);
  if (power.empty() || power.size() > 3 || !AreDigits(power)) return std::nullopt;
  const int64_t exponent = *ReadPlainInteger(power);
  number.exponent += is_below ? -exponent : exponent;
  return number;
}

/// Digits, a point and a power as Java reads them too, for what needs more than exact arithmetic.
template <typename Number>
std::optional<Number> ReadRounded(std::string_view text) {
  const auto is_plain = [](char byte) {
    return IsAsciiDigit(byte) || byte == '.' || byte == 'e' || byte == 'E' || byte == '-';
  };
  if (text.empty() || !std::ranges::all_of(text, is_plain)) return std::nullopt;
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

template <typename Number>
std::optional<Number> ReadNamed(std::string_view text) {
  using Limits = std::numeric_limits<Number>;
  if (text == "NaN") return Limits::quiet_NaN();
  if (text == "Inf") return Limits::infinity();
  if (text == "-Inf") return -Limits::infinity();
  return std::nullopt;
}

/// Seconds since 1970-01-01 of a local date and time; `text` is "2024-02-29" or begins
/// "2024-02-29 12:30:15".
std::optional<int64_t> ReadLocal(std::string_view text) {
  const auto days = ReadPlainDate(text.substr(0, kDateLength));
  if (!days) return std::nullopt;
  if (text.size() == kDateLength) return *days * kSecondsPerDay;
  if (text.size() < kDateLength + 1 + kTimeLength) return std::nullopt;
  if (text[kDateLength] != ' ' && text[kDateLength] != 'T') return std::nullopt;
  const std::string_view time = text.substr(kDateLength + 1, kTimeLength);
  if (time[2] != ':' || time[5] != ':' || !AreDigits(time.substr(0, 2)) ||
      !AreDigits(time.substr(3, 2)) || !AreDigits(time.substr(6, 2))) {
    return std::nullopt;
  }
  const int64_t hour = TwoDigits(time, 0);
  const int64_t minute = TwoDigits(time, 3);
  const int64_t second = TwoDigits(time, 6);
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return *days * kSecondsPerDay + hour * 3600 + minute * 60 + second;
}

/// Takes ".123456" from the front: microseconds, 0 where there is no point.
std::optional<int64_t> TakeFraction(std::string_view* text) {
  if (!text->starts_with('.')) return 0;
  text->remove_prefix(1);
  const auto end = std::ranges::find_if_not(*text, IsAsciiDigit);
  const auto digits = static_cast<size_t>(end - text->begin());
  if (digits < 1 || digits > 6) return std::nullopt;
  int64_t micros = *ReadPlainInteger(text->substr(0, digits));
  for (size_t i = digits; i < 6; ++i) micros *= 10;
  text->remove_prefix(digits);
  return micros;
}

/// "Z" or "+02:00" as seconds east of UTC.
std::optional<int64_t> ReadOffset(std::string_view text) {
  if (text == "Z") return 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':' ||
      !AreDigits(text.substr(1, 2)) || !AreDigits(text.substr(4, 2))) {
    return std::nullopt;
  }
  const int64_t minutes = TwoDigits(text, 4);
  const int64_t seconds = TwoDigits(text, 1) * 3600 + minutes * 60;
  if (minutes > 59 || seconds > kOffsetMax) return std::nullopt;
  return text[0] == '-' ? -seconds : seconds;
}

}  // namespace

std::optional<int64_t> ReadPlainInteger(std::string_view text) {
  const bool is_negative = TakeMinus(&text);
  if (text.empty() || text.size() > 19) return std::nullopt;
  uint64_t value = 0;
  for (const char byte : text) {
    if (!IsAsciiDigit(byte)) return std::nullopt;
    value = value * 10 + static_cast<uint64_t>(byte - '0');
  }
  if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
  return is_negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
}

std::optional<__int128> ReadPlainDecimal(std::string_view text, int32_t precision, int32_t scale) {
  const bool is_negative = TakeMinus(&text);
  const size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = point == text.size() ? "" : text.substr(point + 1);
  if (whole.empty() || !AreDigits(whole) || !AreDigits(fraction)) return std::nullopt;
  if (point != text.size() && fraction.empty()) return std::nullopt;
  if (fraction.size() > static_cast<size_t>(scale)) return std::nullopt;
  if (whole.size() + static_cast<size_t>(scale) > 38) return std::nullopt;
  __int128 value = 0;
  for (const char byte : whole) value = value * 10 + (byte - '0');
  for (const char byte : fraction) value = value * 10 + (byte - '0');
  for (size_t i = fraction.size(); i < static_cast<size_t>(scale); ++i) value *= 10;
  __int128 limit = 1;
  for (int32_t i = 0; i < precision; ++i) limit *= 10;
  if (value >= limit) return std::nullopt;
  return is_negative ? -value : value;
}

// A significand and a power of ten that are doubles give the nearest double in one step.
std::optional<double> ReadPlainDouble(std::string_view text) {
  std::string_view unsigned_text = text;
  const bool is_negative = TakeMinus(&unsigned_text);
  const auto number = ReadDigits(unsigned_text);
  if (number && number->digits <= kSignificandMax && std::abs(number->exponent) <= 22) {
    const auto digits = static_cast<double>(number->digits);
    const double power = kExactPowers[std::abs(number->exponent)];
    const double value = number->exponent < 0 ? digits / power : digits * power;
    return is_negative ? -value : value;
  }
  if (const auto named = ReadNamed<double>(text)) return named;
  return ReadRounded<double>(text);
}

std::optional<float> ReadPlainFloat(std::string_view text) {
  if (const auto named = ReadNamed<float>(text)) return named;
  return ReadRounded<float>(text);
}

std::optional<bool> ReadPlainBoolean(std::string_view text) {
  const auto is = [text](std::string_view word) {
    return std::ranges::equal(text, word, [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b;
    });
  };
  if (is("true")) return true;
  if (is("false")) return false;
  return std::nullopt;
}

std::optional<int32_t> ReadPlainDate(std::string_view text) {
  if (text.size() != kDateLength || text[4] != '-' || text[7] != '-' ||
      !AreDigits(text.substr(0, 4)) || !AreDigits(text.substr(5, 2)) ||
      !AreDigits(text.substr(8, 2)) || text.starts_with("0000")) {
    return std::nullopt;
  }
  return ParseDate(text);
}

std::optional<int64_t> ReadPlainTimestamp(std::string_view text, const ZoneRules* zone) {
  const auto local = ReadLocal(text);
  if (!local) return std::nullopt;
  text.remove_prefix(std::min(text.size(), kDateLength + 1 + kTimeLength));
  const auto micros = TakeFraction(&text);
  if (!micros) return std::nullopt;
  std::optional<int64_t> offset;
  if (!text.empty()) {
    offset = ReadOffset(text);
    if (!offset || zone == nullptr) return std::nullopt;
  }
  const int64_t seconds = offset            ? *local - *offset
                          : zone == nullptr ? *local
                                            : zone->InstantOf(*local);
  return seconds * kMicrosPerSecond + *micros;
}

}  // namespace reprise
