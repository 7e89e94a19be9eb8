// What an array that an expression makes is made of.
#pragma once

#include <memory>
#include <vector>

#include "expressions/expression.h"

namespace reprise {

/// The expressions of its elements, taken out of a make_array, which is then of no use; none where
/// `expression` is something else.
std::vector<std::unique_ptr<Expression>> TakeElements(Expression* expression);

}  // namespace reprise
