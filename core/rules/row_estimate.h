// How many rows a plan gives, as far as ended stages tell.
#pragma once

#include <cstdint>
#include <optional>

#include "plan/plan.h"

namespace reprise {

/// About how many rows `node` gives at most: known where ended query stages stand below, and only
/// operators between that hand rows on or join them. A join on a key is taken to give no more rows
/// than its larger side.
std::optional<int64_t> EstimatedRows(const PlanNode& node);

}  // namespace reprise
