// Divisions evaluate their divisor first.
#pragma once

#include "expressions/expression.h"

namespace reprise {

/// For which rows Spark evaluates a dividend, once it has the divisor (DivModLike, Pmod): not where
/// the divisor is null, nor, without ansi, where it is zero. Under ansi a zero is an error, which
/// comes before the dividend is evaluated if neither argument may be null, else after.
struct DivisorFirst {
  DivisorFirst(const ExpressionSpec& division, bool is_ansi, Status (*error)());

  /// A column that is null where the dividend is not to be evaluated, or that error.
  Result<Column> Guard(const Column& divisor, const DataType& type, EvalInput& input) const;

  bool ansi;
  bool may_be_null;
  Status (*zero_error)();
};

}  // namespace reprise
