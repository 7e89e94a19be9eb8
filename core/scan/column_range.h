// What statistics say about the values of a column in a part of a file.
#pragma once

#include <optional>
#include <string>
#include <variant>

namespace reprise {

/// A value in the order of its Spark type: booleans, integers, dates, timestamps and decimals
/// (unscaled) as an integer; float and double, never NaN; strings and binaries by unsigned bytes.
using RangeValue = std::variant<__int128, double, std::string>;

/// Negative, zero, positive: a < b, a = b, a > b. Both must hold the same alternative.
int CompareRangeValues(const RangeValue& a, const RangeValue& b);

/// The values of a column in a part of a file. What is absent is not known.
struct ColumnRange {
  bool all_null = false;          ///< certainly
  bool no_nulls = false;          ///< certainly
  bool may_have_nan = false;      ///< NaN may occur outside of the bounds
  std::optional<RangeValue> min;  ///< no value but NaN is less
  std::optional<RangeValue> max;  ///< no value but NaN is greater
};

}  // namespace reprise
