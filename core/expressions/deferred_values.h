// Columns of which a value that cannot be computed is an error of its own row and column.
#pragma once

#include <memory>

#include "base/value_errors.h"
#include "expressions/expression.h"

namespace reprise {

/// The expression as one that fails where it comes to a value of its input that is missing, for
/// batches that have such ones.
ExpressionSpec WithCheckedColumns(ExpressionSpec expression);

/// As EvaluateToArray, but a row for which that fails is null, and `errors` gets its error, as one
/// of `column`. Only an error that no row has (IsOfRow) is returned.
Result<std::shared_ptr<arrow::Array>> EvaluateDeferred(const Expression& expression,
                                                       EvalInput& input, int column,
                                                       ValueErrors* errors);

}  // namespace reprise
