// A fixed-width value as a word to be hashed.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace reprise {

/// An integer widened with its sign; of a floating-point number its bits, where all NaNs are one
/// value and -0.0 is not 0.0.
template <typename T>
uint64_t ValueWord(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    if (std::isnan(value)) value = std::numeric_limits<T>::quiet_NaN();
    return std::bit_cast<Bits>(value);
  } else {
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
}

}  // namespace reprise
