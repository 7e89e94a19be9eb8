// The evaluation of sum and avg over decimals.
#pragma once

#include <arrow/util/decimal.h>

#include <optional>

#include "base/status.h"
#include "operators/fixed_values.h"
#include "plan/data_type.h"

namespace reprise {

/// 10 to the power of `exponent`, 0 … 38.
Int128 PowerOfTen(int exponent);

/// The value as 128 bits, or nothing where it does not fit.
std::optional<Int128> Narrow(const arrow::Decimal256& value);
arrow::Decimal256 Widen(Int128 value);

/// `sum` (scale `sum_scale`) divided by `count` (above 0) as `result`, a decimal: Spark's
/// DecimalDivideWithOverflowCheck. The quotient is cut off after 39 digits behind the point
/// (Decimal.MATH_CONTEXT) and then rounded half up to the result's scale, which is at most 38: as
/// good as one rounding. A quotient with too many digits is NUMERIC_VALUE_OUT_OF_RANGE under ANSI,
/// with the 39 digits in its text, else nothing (null).
Result<std::optional<Int128>> AverageDecimals(const arrow::Decimal256& sum, int sum_scale,
                                              int64_t count, const DataType& result, bool ansi);

}  // namespace reprise
