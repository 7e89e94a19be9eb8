// The columns that a node of Spark's gives, for those who look at its rows.
#pragma once

#include <string>
#include <vector>

#include "plan/data_type.h"
#include "plan/plan.h"

namespace reprise {

/// One field an output attribute; what is no plain attribute has a type without stored form.
std::vector<Field> ColumnsOf(const PlanNode& node);

/// Why rows of these columns cannot be read outside of the JVM; empty: they can.
std::string WhyColumnsUnreadable(const std::vector<Field>& columns);

}  // namespace reprise
