// LORE ids where Spark shows plans: what is put behind the names of operators.
#pragma once

#include <string>
#include <vector>

#include "eventlog/log_model.h"

namespace reprise {

/// For each operator of a query's last plan, in its order, what is put behind Spark's name of it:
/// " [loreId=5]"; " [loreId=5, will run natively]" of one that a plan of Spark's shows as it is
/// before its stage is made; "" where no id is known.
std::vector<std::string> OperatorLabels(const LogModel& model, const SqlExecution& execution);

}  // namespace reprise
