// The errors that Spark's aggregate functions raise under ANSI.
#pragma once

#include <string_view>

#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

/// QueryExecutionErrors.arithmeticOverflowError of MathUtils.addExact: "long overflow".
Status LongOverflowInSum();

/// QueryExecutionErrors.overflowInSumOfDecimalError; `suggestion` is "try_sum" or "try_avg".
Status OverflowInSumOfDecimals(std::string_view suggestion);

/// QueryExecutionErrors.cannotChangeDecimalPrecisionError: `value` (plain digits) has no place in
/// `type`.
Status DecimalOutOfRange(std::string_view value, const DataType& type);

}  // namespace reprise
