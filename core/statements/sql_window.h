// Window functions as Spark's SQL.
#pragma once

#include <string>
#include <vector>

#include "operators/spec_members.h"
#include "statements/sql_input.h"

namespace reprise {

/// "`a` ASC NULLS FIRST, …"; of no key nothing.
Result<std::string> SqlOfOrder(const std::vector<OrderKeySpec>& keys,
                               const std::vector<std::string>& columns);

/// The statements of operators of the kinds "window" and "window_group_limit".
Result<std::string> SqlOfWindow(const OperatorSpec& spec, const SqlInput& input);
Result<std::string> SqlOfGroupLimit(const OperatorSpec& spec, const SqlInput& input);

}  // namespace reprise
