#include "expressions/decimal_math.h"

#include <algorithm>

namespace reprise {

namespace {

constexpr int kMathContextDigits = 39;  // Decimal.MATH_CONTEXT of Spark 4

const Int256& PowerOfTen256(int exponent) { return Int256::GetScaleMultiplier(exponent); }

}  // namespace

std::optional<Int128> Narrow(const Int256& value) {
  if (!value.FitsInPrecision(kPrecisionMax)) return std::nullopt;
  const auto& words = value.little_endian_array();
  return static_cast<Int128>((static_cast<unsigned __int128>(words[1]) << 64) | words[0]);
}

std::optional<Int128> DivideHalfUp(const Int256& value, const Int256& divisor) {
  auto [quotient, remainder] = Divide(value, divisor);
  const Int256 rest = Int256::Abs(remainder);
  if (rest >= Difference(Int256::Abs(divisor), rest)) {
    quotient += Int256(value.IsNegative() == divisor.IsNegative() ? 1 : -1);
  }
  return Narrow(quotient);
}

std::optional<Int256> ScaleUp(Int128 value, int exponent) {
  if (value == 0) return Int256(0);
  const int digits = static_cast<int>(ToString(Magnitude(value)).size());
  if (digits + exponent > 76) return std::nullopt;
  return ToInt256(value) * PowerOfTen256(exponent);
}

std::optional<Int128> Rescale(const Int256& value, int from_scale, int to_scale, int precision) {
  std::optional<Int128> result;
  if (from_scale > to_scale) {
    result = DivideHalfUp(value, PowerOfTen256(from_scale - to_scale));
    if (result && !FitsPrecision(*result, precision)) return std::nullopt;
    return result;
  }
  result = Narrow(value);
  return result ? Rescale(*result, from_scale, to_scale, precision) : std::nullopt;
}

std::optional<Int128> ParseInt128(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > kPrecisionMax) return std::nullopt;
  Int128 value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

std::string ToString(Int128 value) {
  if (FitsInt64(value)) return std::to_string(static_cast<int64_t>(value));
  auto magnitude = static_cast<unsigned __int128>(value);
  if (value < 0) magnitude = -magnitude;
  std::string reversed;
  for (; magnitude != 0; magnitude /= 10) {
    reversed += static_cast<char>('0' + static_cast<int>(magnitude % 10));
  }
  if (value < 0) reversed += '-';
  return {reversed.rbegin(), reversed.rend()};
}

std::string DigitsOf(const Int256& value) {
  Int256 rest = Int256::Abs(value);
  if (rest == Int256(0)) return "0";
  std::string digits;
  const Int256 chunk = PowerOfTen256(18);
  while (rest != Int256(0)) {
    const auto [quotient, remainder] = Divide(rest, chunk);
    std::string part = std::to_string(remainder.low_bits());
    if (quotient != Int256(0)) part.insert(0, 18 - part.size(), '0');
    digits.insert(0, part);
    rest = quotient;
  }
  return digits;
}

std::string PlainDecimal(bool negative, std::string_view digits, int scale) {
  std::string text(digits);
  if (scale > 0) {
    if (static_cast<int>(text.size()) <= scale) text.insert(0, scale + 1 - text.size(), '0');
    text.insert(text.size() - scale, ".");
  }
  return negative ? '-' + text : text;
}

std::string TruncatedPlainDecimal(const Int256& unscaled, int scale) {
  std::string digits = DigitsOf(unscaled);
  const int extra = static_cast<int>(digits.size()) - kMathContextDigits;
  if (extra > 0) {
    digits.resize(kMathContextDigits);
    scale -= extra;
  }
  if (scale < 0) {
    digits.append(-scale, '0');
    scale = 0;
  }
  return PlainDecimal(unscaled.IsNegative(), digits, scale);
}

}  // namespace reprise
