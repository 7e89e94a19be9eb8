// Arithmetic on numbers out of a log, which may be any.
#pragma once

#include <cstdint>
#include <limits>

namespace reprise {

/// The sum; where it has no form, the number that is nearest to it.
inline int64_t SaturatedSum(int64_t left, int64_t right) {
  int64_t sum;
  if (!__builtin_add_overflow(left, right, &sum)) return sum;
  return right < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

/// The same of a difference.
inline int64_t SaturatedDifference(int64_t left, int64_t right) {
  int64_t difference;
  if (!__builtin_sub_overflow(left, right, &difference)) return difference;
  return right < 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

}  // namespace reprise
