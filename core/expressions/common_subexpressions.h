// What stands in a list of expressions more than once: Spark evaluates it before all the rest.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "expressions/expression.h"

namespace reprise {

/// An expression as text, without its places in the query: equal text, equal value.
std::string TextWithoutContext(const ExpressionSpec& expression);

struct CommonSubexpression {
  std::unique_ptr<Expression> expression;
  /// Whoever evaluates the list evaluates it for every row: it need not be evaluated by itself to
  /// see whether it fails, but only to see which error comes first.
  bool is_met_anyway = false;
};

/// The subexpressions of `list` that Spark evaluates for each row before everything else, in its
/// order (EquivalentExpressions; CodeGenerator.subexpressionEliminationForWholeStageCodegen): those
/// that are met more than once where every row comes by, and can fail. The right sides of AND and
/// OR count as such places, so that what fails there fails the query even where the left side
/// decides; branches of IF, CASE and COALESCE do not, unless all of them have it. Errors as
/// MakeExpression.
///   [x <> 0 and 1 / x > 2, x <> 0 and 1 / x < 5] gives [1 / x]
/// `is_evaluated`: of each of the list, whether it is evaluated for every row.
Result<std::vector<CommonSubexpression>> MakeCommonSubexpressions(
    std::span<const ExpressionSpec> list, const std::vector<Field>& input,
    const std::function<bool(size_t)>& is_evaluated);

/// Evaluates them over `input`, for their errors: all, or only those that are not met anyway.
Status EvaluateCommons(std::span<const CommonSubexpression> commons, EvalInput& input, bool all);

}  // namespace reprise
