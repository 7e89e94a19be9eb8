// Spark's order of values, as functors for the kernels' loops: no branches.
#pragma once

#include <string_view>
#include <type_traits>

#include "expressions/values.h"

namespace reprise {

// Floating point as SQLOrderingUtil.compareDoubles: NaN equals NaN and is greater than all else,
// -0.0 equals 0.0.

struct IsEqual {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return (a == b) | ((a != a) & (b != b));
    } else if constexpr (std::is_same_v<T, Int128Cell>) {
      return (a.low == b.low) & (a.high == b.high);
    } else {
      return a == b;
    }
  }
};

struct IsLess {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return (a < b) | ((a == a) & (b != b));
    } else if constexpr (std::is_same_v<T, Int128Cell>) {
      return static_cast<Int128>(a) < static_cast<Int128>(b);
    } else {
      return a < b;
    }
  }
};

struct IsLessOrEqual {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return (a <= b) | (b != b);
    } else if constexpr (std::is_same_v<T, Int128Cell>) {
      return static_cast<Int128>(a) <= static_cast<Int128>(b);
    } else {
      return a <= b;
    }
  }
};

}  // namespace reprise
