// What an operator does with the order of the rows that it reads.
#pragma once

#include "plan/plan.h"

namespace reprise {

enum class OrderUse {
  kNeeds,    ///< what it gives depends on the order; so it is taken to be of whatever is not known
  kHandsOn,  ///< gives its rows in their order, which it does not look at
  kForgets,  ///< gives the same rows whatever the order, in an order of its own or none
};

/// Of one operator alone, by an allow-list. Joins by hash or merge are more than one operator's
/// business (sort_pass.cc): here they need the order.
OrderUse OrderUseOf(const PlanNode& node);

/// The expression, or each in the list, is computed of its row alone: no state, no number of the
/// row, nothing random, nothing of the user's. Where the argument is absent or null there is none.
bool IsOfItsRowAlone(const PlanValue* argument);

}  // namespace reprise
