// The second half of a join without keys that keeps rows of its broadcast side: the kept rows.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Makes the operator. `arguments`:
///   {"joinType":"left"|"right"|"full"|"semi"|"anti"|"existence","buildSide":"left"|"right"}
/// Input 0 is one column of type int, the numbers of rows with a match (matched_rows.h), in any
/// order and as often as there are tasks; input 1 is the build side. Outer joins give the rows
/// without a match, beside nulls for the columns of the other side; semi joins the rows with a
/// match, anti joins those without, existence joins all and whether they have one. The order is the
/// build side's. Errors: Status::Invalid naming the member; Status::IndexError for a number that is
/// no row's.
Result<std::unique_ptr<Operator>> MakeUnmatchedRows(OperatorSpec spec,
                                                    std::vector<std::unique_ptr<Operator>> inputs,
                                                    const TaskContext& context);

}  // namespace reprise
