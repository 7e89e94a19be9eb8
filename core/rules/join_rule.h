// What other passes may change of a join that runs natively.
#pragma once

#include "plan/plan.h"
#include "rules/operator_table.h"

namespace reprise {

/// Makes `native`, the judgement's of join `node`, build its left side or its right one. The order
/// of the join's rows is that of the other side.
void SetBuildSide(const PlanNode& node, bool is_left, NativeOperator* native);

}  // namespace reprise
