// Division of 256-bit integers. Arrow's own (BasicDecimal256::Divide, Arrow 26) returns some
// quotients that are too small by one, with a remainder not below the divisor: (5·10^66 - 6612) /
// 10^31 is one.
#pragma once

#include <arrow/util/basic_decimal.h>

namespace reprise {

using Int256 = arrow::BasicDecimal256;

struct WideDivision {
  Int256 quotient;   ///< truncated towards zero
  Int256 remainder;  ///< has the sign of the dividend
};

/// The divisor must not be 0.
WideDivision Divide(const Int256& dividend, const Int256& divisor);

}  // namespace reprise
