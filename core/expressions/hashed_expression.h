// An expression whose values are hashed.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "expressions/expression.h"
#include "plan/nested_type.h"

namespace reprise {

/// An expression, with the type of its values where these are arrays, maps or structs.
struct HashedExpression {
  explicit HashedExpression(std::unique_ptr<Expression> hashed)
      : expression(std::move(hashed)), nested(ParseNestedType(expression->type())) {}

  /// Null: the values are not nested.
  const NestedType* nested_type() const { return nested ? &*nested : nullptr; }

  std::unique_ptr<Expression> expression;
  std::optional<NestedType> nested;
};

inline std::vector<HashedExpression> HashedExpressions(
    std::vector<std::unique_ptr<Expression>> expressions) {
  std::vector<HashedExpression> hashed;
  for (auto& expression : expressions) hashed.emplace_back(std::move(expression));
  return hashed;
}

}  // namespace reprise
