#include "expressions/wide_division.h"

#include <array>
#include <bit>
#include <cstdint>

#include "base/check.h"

namespace reprise {

namespace {

// Digits to the base 2^32, the least first, and one more for the shift of the division.
constexpr int kDigits = 8;
using Digits = std::array<uint32_t, kDigits + 1>;

Digits ToDigits(const Int256& value) {
  Digits digits{};
  for (int i = 0; i < kDigits / 2; ++i) {
    const uint64_t word = value.little_endian_array()[i];
    digits[2 * i] = static_cast<uint32_t>(word);
    digits[2 * i + 1] = static_cast<uint32_t>(word >> 32);
  }
  return digits;
}

Int256 FromDigits(const Digits& digits) {
  std::array<uint64_t, kDigits / 2> words;
  for (int i = 0; i < kDigits / 2; ++i) {
    words[i] = (static_cast<uint64_t>(digits[2 * i + 1]) << 32) | digits[2 * i];
  }
  return Int256(words);
}

int Length(const Digits& digits) {
  int length = kDigits;
  while (length > 0 && digits[length - 1] == 0) --length;
  return length;
}

Digits ShiftLeft(const Digits& digits, int bits) {
  Digits shifted = digits;
  if (bits == 0) return shifted;
  for (int i = kDigits; i >= 0; --i) {
    shifted[i] = (digits[i] << bits) | (i == 0 ? 0 : digits[i - 1] >> (32 - bits));
  }
  return shifted;
}

Digits ShiftRight(const Digits& digits, int bits) {
  Digits shifted = digits;
  if (bits == 0) return shifted;
  for (int i = 0; i <= kDigits; ++i) {
    shifted[i] = (digits[i] >> bits) | (i == kDigits ? 0 : digits[i + 1] << (32 - bits));
  }
  return shifted;
}

// Divides by one digit in place and returns the remainder.
uint32_t DivideByDigit(Digits* digits, uint32_t divisor) {
  uint64_t rest = 0;
  for (int i = kDigits - 1; i >= 0; --i) {
    const uint64_t value = (rest << 32) | (*digits)[i];
    (*digits)[i] = static_cast<uint32_t>(value / divisor);
    rest = value % divisor;
  }
  return static_cast<uint32_t>(rest);
}

// The quotient's digit for `rest` from `at`, as its highest digits suggest: right or one too large.
uint64_t GuessDigit(const Digits& rest, const Digits& divisor, int length, int at) {
  const uint64_t high = (static_cast<uint64_t>(rest[at + length]) << 32) | rest[at + length - 1];
  uint64_t guess = high / divisor[length - 1];
  uint64_t left = high % divisor[length - 1];
  while (left >> 32 == 0 && (guess >> 32 != 0 || guess * divisor[length - 2] >
                                                     ((left << 32) | rest[at + length - 2]))) {
    --guess;
    left += divisor[length - 1];
  }
  return guess;
}

// Takes guess·divisor from `rest` at `at`; whether it went below zero, and so has to be added back.
bool SubtractProduct(Digits* rest, const Digits& divisor, int length, int at, uint64_t guess) {
  uint64_t carry = 0;
  int64_t borrow = 0;
  for (int i = 0; i < length; ++i) {
    const uint64_t product = guess * divisor[i] + carry;
    carry = product >> 32;
    const int64_t digit = static_cast<int64_t>((*rest)[at + i]) -
                          static_cast<int64_t>(static_cast<uint32_t>(product)) + borrow;
    (*rest)[at + i] = static_cast<uint32_t>(digit);
    borrow = digit >> 32;
  }
  const int64_t digit =
      static_cast<int64_t>((*rest)[at + length]) - static_cast<int64_t>(carry) + borrow;
  (*rest)[at + length] = static_cast<uint32_t>(digit);
  return digit < 0;
}

void AddBack(Digits* rest, const Digits& divisor, int length, int at) {
  uint64_t carry = 0;
  for (int i = 0; i < length; ++i) {
    carry += static_cast<uint64_t>((*rest)[at + i]) + divisor[i];
    (*rest)[at + i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  (*rest)[at + length] += static_cast<uint32_t>(carry);
}

// Long division (Knuth, volume 2, 4.3.1, algorithm D) of magnitudes; a divisor of two digits at
// least.
void DivideLong(Digits* dividend, const Digits& divisor_digits, int length, Digits* quotient) {
  const int shift = std::countl_zero(divisor_digits[length - 1]);
  const Digits divisor = ShiftLeft(divisor_digits, shift);
  Digits rest = ShiftLeft(*dividend, shift);
  for (int at = kDigits - length; at >= 0; --at) {
    uint64_t guess = GuessDigit(rest, divisor, length, at);
    if (SubtractProduct(&rest, divisor, length, at, guess)) {
      --guess;
      AddBack(&rest, divisor, length, at);
    }
    (*quotient)[at] = static_cast<uint32_t>(guess);
  }
  *dividend = ShiftRight(rest, shift);
}

}  // namespace

WideDivision Divide(const Int256& dividend, const Int256& divisor) {
  Digits rest = ToDigits(Int256::Abs(dividend));
  const Digits divisor_digits = ToDigits(Int256::Abs(divisor));
  const int length = Length(divisor_digits);
  REPRISE_CHECK(length > 0, "division by zero");
  Digits quotient{};
  if (length == 1) {
    quotient = rest;
    rest = Digits{DivideByDigit(&quotient, divisor_digits[0])};
  } else {
    DivideLong(&rest, divisor_digits, length, &quotient);
  }
  WideDivision result{FromDigits(quotient), FromDigits(rest)};
  if (dividend.IsNegative() != divisor.IsNegative()) result.quotient.Negate();
  if (dividend.IsNegative()) result.remainder.Negate();
  return result;
}

}  // namespace reprise
