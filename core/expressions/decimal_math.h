// Arithmetic on unscaled decimals: 128 bits where they are enough, Arrow's 256 where not.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "expressions/values.h"
#include "expressions/wide_division.h"

namespace reprise {

constexpr int kPrecisionMax = 38;
/// The scale to which Spark's `Decimal./` divides before it rounds, cutting off what follows.
constexpr int kQuotientScale = kPrecisionMax + 1;

constexpr std::array<Int128, kPrecisionMax + 1> MakePowersOfTen() {
  std::array<Int128, kPrecisionMax + 1> powers{1};
  for (int i = 1; i <= kPrecisionMax; ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}

/// 10^0 … 10^38.
inline constexpr std::array<Int128, kPrecisionMax + 1> kPowersOfTen = MakePowersOfTen();

inline Int128 Magnitude(Int128 value) { return value < 0 ? -value : value; }

inline bool FitsPrecision(Int128 value, int precision) {
  return value < kPowersOfTen[precision] && value > -kPowersOfTen[precision];
}

inline bool FitsInt64(Int128 value) { return value == static_cast<int64_t>(value); }

inline Int256 ToInt256(Int128 value) {
  return Int256(
      arrow::BasicDecimal128(static_cast<int64_t>(value >> 64), static_cast<uint64_t>(value)));
}

/// `a` - `b`, which Arrow's 256-bit integers lack.
inline Int256 Difference(const Int256& a, Int256 b) { return a + b.Negate(); }

/// `value` / `divisor`, truncated; with 64-bit instructions where both fit.
inline Int128 DivideTruncated(Int128 value, Int128 divisor) {
  if (FitsInt64(value) && FitsInt64(divisor) && static_cast<int64_t>(divisor) != -1) {
    return static_cast<int64_t>(value) / static_cast<int64_t>(divisor);
  }
  return value / divisor;
}

/// `value` / `divisor`, rounded half away from zero (Java's HALF_UP). The divisor is not 0; neither
/// may be the least 128-bit integer.
inline Int128 DivideHalfUp(Int128 value, Int128 divisor) {
  const Int128 quotient = DivideTruncated(value, divisor);
  const Int128 remainder = Magnitude(value - quotient * divisor);
  if (remainder < Magnitude(divisor) - remainder) return quotient;
  return (value < 0) == (divisor < 0) ? quotient + 1 : quotient - 1;
}

/// The 128-bit value where it has at most 38 digits.
std::optional<Int128> Narrow(const Int256& value);

/// The same for 256 bits; nothing where the quotient has more than 38 digits.
std::optional<Int128> DivideHalfUp(const Int256& value, const Int256& divisor);

/// `value` times 10^`exponent`, `exponent` from 0; nothing where the product may have more than 76
/// digits.
std::optional<Int256> ScaleUp(Int128 value, int exponent);

/// The unscaled value at another scale, rounded half up; nothing where it has more than `precision`
/// digits.
inline std::optional<Int128> Rescale(Int128 value, int from_scale, int to_scale, int precision) {
  const int shift = to_scale - from_scale;
  Int128 result;
  if (shift < 0) {
    if (-shift > kPrecisionMax) return 0;  // 38 digits are less than half of 10^39
    result = DivideHalfUp(value, kPowersOfTen[-shift]);
  } else {
    if (value == 0) return 0;
    if (shift > kPrecisionMax || !FitsPrecision(value, kPrecisionMax - shift)) return std::nullopt;
    result = value * kPowersOfTen[shift];
  }
  if (!FitsPrecision(result, precision)) return std::nullopt;
  return result;
}

/// The same from 256 bits.
std::optional<Int128> Rescale(const Int256& value, int from_scale, int to_scale, int precision);

/// Decimal digits with an optional minus, of any length that a 128-bit integer of at most 38 digits
/// has.
std::optional<Int128> ParseInt128(std::string_view text);

std::string ToString(Int128 value);

/// The digits of the magnitude, without a sign: "0" for 0.
std::string DigitsOf(const Int256& value);

/// BigDecimal.toPlainString of digits (without sign) at a scale from 0.
std::string PlainDecimal(bool negative, std::string_view digits, int scale);
inline std::string PlainDecimal(Int128 unscaled, int scale) {
  std::string text = ToString(unscaled);
  return PlainDecimal(unscaled < 0, std::string_view(text).substr(unscaled < 0 ? 1 : 0), scale);
}

/// PlainDecimal of a value that Decimal's MathContext (39 digits, rounded down) has truncated, as
/// Spark shows it in errors.
std::string TruncatedPlainDecimal(const Int256& unscaled, int scale);

}  // namespace reprise
