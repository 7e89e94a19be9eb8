// A condition written as SQL text, over the columns of an operator.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/spec.h"

namespace reprise {

/// Reads a predicate and binds it to the columns of `input`, by their names without regard to case:
///
///   "l_discount BETWEEN 0 AND 0.1 AND (l_shipmode LIKE 'A%' OR l_shipmode IS NULL)"
///
/// Comparisons (=, ==, <=>, <>, !=, <, <=, >, >=, IS [NOT] DISTINCT FROM), AND, OR, NOT, IS [NOT]
/// NULL | TRUE | FALSE, BETWEEN, IN, LIKE … ESCAPE, + - * / % DIV ||, CAST, CASE, and the functions
/// of sql_functions.cc. Literals: numbers as in Spark (12 is an int, 1.5 a decimal, 1e0 a double,
/// 7L a bigint), strings, TRUE, FALSE, NULL, DATE '…', TIMESTAMP '…' (UTC), TIMESTAMP_NTZ '…'.
/// Types are coerced and errors raised as in Spark's ANSI mode, but numbers and strings are not
/// mixed.
///
/// Status::Invalid names the character, what was found there, and what was expected.
Result<ExpressionSpec> ParseSqlPredicate(std::string_view sql, const std::vector<Field>& input);

}  // namespace reprise
