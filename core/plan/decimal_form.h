// How Spark's Decimal holds the values of an expression, which decides some of its results.
#pragma once

#include <vector>

#include "plan/spec.h"

namespace reprise {

/// A Decimal holds a long, if its value has at most 18 digits and all that made it were held so, or
/// else a BigDecimal (org.apache.spark.sql.types.Decimal): rows give longs for types of at most 18
/// digits, sums of longs of one scale are longs, products and quotients never are.
struct DecimalForm {
  enum class Kind {
    kEither,      ///< it makes no difference: a literal of few digits, or null
    kLong,        ///< where the value, and that of each of `steps`, has at most 18 digits
    kBigDecimal,  ///< always
    kMixed,       ///< differs from row to row, as branches do
  };
  Kind kind = Kind::kBigDecimal;
  /// Expressions inside of, or equal to, the one that was asked for, which own them.
  std::vector<const ExpressionSpec*> steps;
};

/// Below this magnitude of the unscaled value a double tells apart from an integer whatever is not
/// one, so that both forms give the same.
inline constexpr int kFormlessDigits = 15;

/// The form of a decimal's values. Columns count as read from a row.
DecimalForm DecimalFormOf(const ExpressionSpec& expression);

}  // namespace reprise
