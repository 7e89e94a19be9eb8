// Options of a data source, as the plan has them.
#pragma once

#include <optional>
#include <string_view>

#include "plan/plan.h"

namespace reprise {

bool EqualIgnoringCase(std::string_view left, std::string_view right);

/// The value of option `name`, whose letter case does not count: of several the last, as Spark's
/// CaseInsensitiveMap has it. Null where it is not set. `options` may be null.
const PlanValue* FindOption(const PlanValue* options, std::string_view name);

}  // namespace reprise
