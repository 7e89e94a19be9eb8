// What stands in a list of expressions more than once: Spark evaluates it before all the rest.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "expressions/expression.h"

namespace reprise {

/// An expression as text, without its places in the query: equal text, equal value.
std::string TextWithoutContext(const ExpressionSpec& expression);

/// The subexpressions of `list` that Spark evaluates for each row before everything else, in its
/// order (EquivalentExpressions; CodeGenerator.subexpressionEliminationForWholeStageCodegen): those
/// that are met more than once where every row comes by. The right sides of AND and OR count as
/// such places, so that what fails there fails the query even where the left side decides;
/// branches of IF, CASE and COALESCE do not, unless all of them have it. Only the errors of these
/// matter: the list is empty where none can fail, or where the only one that can is met first
/// anyway, which `comes_first`, that nothing else is evaluated before `list`, says may be. Errors
/// as MakeExpression.
///   [x <> 0 and 1 / x > 2, x <> 0 and 1 / x < 5] gives [1 / x]
Result<std::vector<std::unique_ptr<Expression>>> MakeCommonSubexpressions(
    std::span<const ExpressionSpec> list, const std::vector<Field>& input, bool comes_first = true);

}  // namespace reprise
