// Values that are known only when a query runs: those of its subqueries, and the bounds of a range
// partitioning, which sampling finds.
#pragma once

#include <nlohmann/json.hpp>

#include "base/status.h"

namespace reprise {

/// Puts the values that stand at a fragment's root, {"values":{"<id>":VALUES}}, where its
/// specifications ask for them, and removes the member "values". VALUES is one of
///   {"value":V}                          for {"function":"runtime_value","attributes":{"id":N}}: a
///                                        literal
///   {"fields":[V…]|null}                 for the same with the attribute "field": that one of a
///                                        struct, null where the struct is
///   {"values":[V…],"emptyIsFalse":bool}  for {"function":"runtime_values",…} among the arguments
///   of
///                                        "in": literals; without any, "in" becomes false where
///                                        emptyIsFalse is set
///   {"rows":[[V…]…]}                     for {"runtime":N} in the place of an array
/// V is as in the literal of plan/spec.h. Status::Invalid names a value that is missing.
Status PutRuntimeValues(nlohmann::json* fragment);

}  // namespace reprise
