// Types of SQL expressions: which cast Spark's analyser would put where, in ANSI mode.
#pragma once

#include <string_view>
#include <vector>

#include "plan/spec.h"

namespace reprise {

/// Whether SQL computes with values of this type.
bool IsNumber(const DataType& type);

/// A call of `function` (of the registry) with this type; nullable.
ExpressionSpec SqlCall(std::string_view function, DataType type,
                       std::vector<ExpressionSpec> arguments);

/// `expression` as a value of type `to`: itself, a cast (ANSI: a value that does not fit is an
/// error), or, of a literal null or a literal string that is to be a date or a time, a literal of
/// that type. Timestamps are read and taken apart in UTC. Status::Invalid where values of its type
/// are no values of `to`.
Result<ExpressionSpec> SqlCast(ExpressionSpec expression, const DataType& to);

/// Casts all of them to the type that values of each can be compared in: the wider number, the
/// wider decimal, double for decimals beside floating point (AnsiTypeCoercion). Status::Invalid
/// names two types that have none.
Status SqlUnify(std::vector<ExpressionSpec>* expressions);

/// `left function right` for "add", "subtract", "multiply", "divide", "integral_divide",
/// "remainder": operands are brought to one kind of number and the result has Spark's type
/// (DecimalPrecision, with loss of scale allowed). A date and a number of days are added, two dates
/// subtracted.
Result<ExpressionSpec> SqlArithmetic(std::string_view function, ExpressionSpec left,
                                     ExpressionSpec right);

}  // namespace reprise
