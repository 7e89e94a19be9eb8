// Java's (int) and (long) of a floating-point number.
#pragma once

#include <limits>

namespace reprise {

/// NaN is 0, the rest saturates.
template <typename To, typename From>
To Saturated(From value) {
  if (value != value) return 0;
  const double wide = value;
  if (wide >= -static_cast<double>(std::numeric_limits<To>::min())) {
    return std::numeric_limits<To>::max();
  }
  if (wide <= static_cast<double>(std::numeric_limits<To>::min())) {
    return std::numeric_limits<To>::min();
  }
  return static_cast<To>(wide);
}

}  // namespace reprise
