// Where in the query's text an expression stands, for its errors.
#pragma once

#include <memory>

#include "expressions/expression.h"

namespace reprise {

/// The same expression, whose errors carry its attribute "context" (none where it has none): the
/// key by which the plug-in finds the place that Spark's own error would show
/// (SupportQueryContext). Errors of its arguments carry theirs already.
std::unique_ptr<Expression> WithQueryContext(std::unique_ptr<Expression> expression,
                                             const ExpressionSpec& spec);

}  // namespace reprise
