#include "operators/aggregate/decimal_average.h"

#include "expressions/decimal_math.h"
#include "operators/aggregate/aggregate_errors.h"

namespace reprise {

namespace {

// Adds one to the last of the decimal digits.
void Increment(std::string* digits) {
  for (size_t i = digits->size(); i-- > 0;) {
    if ((*digits)[i] != '9') {
      ++(*digits)[i];
      return;
    }
    (*digits)[i] = '0';
  }
  digits->insert(digits->begin(), '1');
}

// The digits of |sum| / count with kQuotientScale digits after the point, cut off there, without
// the point.
std::string QuotientDigits(const arrow::Decimal256& sum, int sum_scale, int64_t count) {
  const arrow::Decimal256 magnitude(arrow::BasicDecimal256::Abs(sum));
  const auto [quotient, rest] = *magnitude.Divide(arrow::Decimal256(count));
  std::string digits = quotient.ToIntegerString();
  // With sum_scale digits after the point so far, which may be more than the integer has.
  if (static_cast<int>(digits.size()) <= sum_scale)
    digits.insert(0, sum_scale + 1 - digits.size(), '0');
  UInt128 remainder = rest.low_bits();
  for (int scale = sum_scale; scale < kQuotientScale; ++scale) {
    remainder *= 10;
    digits.push_back(static_cast<char>('0' + static_cast<int>(remainder / count)));
    remainder %= count;
  }
  return digits;
}

Result<std::optional<Int128>> AverageByDigits(const arrow::Decimal256& sum, int sum_scale,
                                              int64_t count, const DataType& result, bool ansi) {
  const std::string quotient = QuotientDigits(sum, sum_scale, count);
  const size_t dropped = static_cast<size_t>(kQuotientScale - result.scale);
  std::string digits = quotient.substr(0, quotient.size() - dropped);
  if (quotient[digits.size()] >= '5') Increment(&digits);
  digits.erase(0, digits.find_first_not_of('0'));
  if (static_cast<int>(digits.size()) > result.precision) {
    if (!ansi) return std::nullopt;
    const size_t point = quotient.size() - kQuotientScale;
    return DecimalOutOfRange(fmt::format("{}{}.{}", sum.Sign() < 0 ? "-" : "",
                                         quotient.substr(0, point), quotient.substr(point)),
                             result);
  }
  Int128 value = 0;
  for (const char digit : digits) value = value * 10 + (digit - '0');
  return sum.Sign() < 0 ? -value : value;
}

}  // namespace

Int128 PowerOfTen(int exponent) { return kPowersOfTen[exponent]; }

std::optional<Int128> Narrow(const arrow::Decimal256& value) {
  const auto& words = value.native_endian_array();
  const Int128 narrow = static_cast<Int128>((static_cast<UInt128>(words[1]) << 64) | words[0]);
  if (Widen(narrow) != value) return std::nullopt;
  return narrow;
}

arrow::Decimal256 Widen(Int128 value) {
  return arrow::Decimal256(
      arrow::Decimal128(static_cast<int64_t>(value >> 64), static_cast<uint64_t>(value)));
}

Result<std::optional<Int128>> AverageDecimals(const arrow::Decimal256& sum, int sum_scale,
                                              int64_t count, const DataType& result, bool ansi) {
  const int shift = result.scale - sum_scale;
  const std::optional<Int128> narrow = Narrow(sum);
  if (narrow.has_value() && shift >= 0 && Magnitude(*narrow) < PowerOfTen(38 - shift)) {
    const Int128 scaled = Magnitude(*narrow) * PowerOfTen(shift);
    const Int128 remainder = scaled % count;
    const Int128 rounded = scaled / count + (2 * remainder >= count ? 1 : 0);
    if (rounded < PowerOfTen(result.precision)) return *narrow < 0 ? -rounded : rounded;
  }
  return AverageByDigits(sum, sum_scale, count, result, ansi);
}

}  // namespace reprise
