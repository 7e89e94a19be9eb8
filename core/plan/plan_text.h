// Plans and their expressions as text, much as Spark's explain prints them.
#pragma once

#include <string>

#include "plan/plan.h"

namespace reprise {

/// Longer texts are cut before the column, value or call that does not fit, and end in "...".
inline constexpr size_t kExpressionTextMax = 2000;

/// "(l_commitdate#29 < l_receiptdate#30)", "cast(a#1 as bigint)", "partial_sum(x#7)".
std::string ExpressionText(const PlanObject& expression);

/// Any argument: expressions as above, lists in brackets, null as "null".
std::string ValueText(const PlanValue& value);

/// The plan as a tree, one line a node, two spaces a level; a LORE id where the node has one:
///   HashAggregate [loreId=1] (keys=[...], ...)
///   +- Filter [loreId=2] ...
/// Plans inside arguments are printed below the node, after "plan:".
std::string TreeText(const PlanDocument& plan);

}  // namespace reprise
