// Expressions of specifications as Spark's SQL.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "plan/spec.h"

namespace reprise {

/// An expression that gives in Spark what `expression` does in the core, under the settings that it
/// was recorded with. `columns`: the text of each column that it is bound to.
/// Status::NotImplemented names the function that Spark's SQL has no form for (a runtime filter).
Result<std::string> SqlOfExpression(const ExpressionSpec& expression,
                                    const std::vector<std::string>& columns);

/// The same of several, in their order.
Result<std::vector<std::string>> SqlOfExpressions(const std::vector<ExpressionSpec>& expressions,
                                                  const std::vector<std::string>& columns);

}  // namespace reprise
