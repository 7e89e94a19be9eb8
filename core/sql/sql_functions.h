// The functions that SQL text may call: one literal table, SQL name → function of the registry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/spec.h"

namespace reprise {

/// The call of `name` (in any case) with these arguments, cast as Spark's analyser would.
/// Status::Invalid for a name that the table does not have (with the nearest that it has), a wrong
/// number of arguments, or types that it does not take.
Result<ExpressionSpec> SqlFunctionCall(std::string_view name,
                                       std::vector<ExpressionSpec> arguments);

}  // namespace reprise
