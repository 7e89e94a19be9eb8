// Hash join: joins rows whose keys are equal.
#pragma once

#include <memory>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Makes a hash join (Spark's BroadcastHashJoinExec, ShuffledHashJoinExec and SortMergeJoinExec) of
/// two inputs, left and right. `arguments`:
///   {"joinType":"inner"|"left"|"right"|"full"|"semi"|"anti"|"existence",
///    "nullAware":bool,             anti joins only: NOT IN. A row of the left side whose key is
///                                  null leaves only if the right side is empty; if some key of the
///                                  right side is null, none does
///    "buildSide":"left"|"right",   the side that is held in memory; "right" for semi, anti and
///                                  existence
///    "latestFirst":bool,           of the build side's rows with equal keys the last one comes
///                                  first, as in Spark's hashed relations; false where it is absent
///    "ordered":bool,               somebody needs the order of the rows, see below; true where it
///                                  is absent
///    "deferred":bool,              a value of the probe side that could not be computed, and
///                                  that neither keys nor condition read, leaves with its row,
///                                  to fail where it is used (base/value_errors.h); false where
///                                  it is absent
///    "leftKeys":[EXPR…],           bound to the left input
///    "rightKeys":[EXPR…],          bound to the right input, of the same types
///    "dropped":[left,right],       so many of each input's last columns do not leave: keys
///                                  that Spark has computed; none where it is absent
///    "guestReads":[COLUMN…],       the condition is a guest that reads these columns, bound as
///    "guest":NUMBER,               "condition" is, and the fragment says which of the
///                                  task's guests (TaskContext::take_guest); it is asked of the
///                                  pairs for which "condition" is true, which decides where these
///                                  are absent
///    "guestTrial":EXPR,            what gives the guest's values of which the core is sure; absent
///                                  where there is nothing
///    "condition":EXPR|null}        bound to the left columns and then the right ones
/// Rows match where all keys are equal and the condition is true. Null equals nothing; NaN equals
/// NaN, and -0.0 equals 0.0. Output, without what is dropped: left columns, right columns; semi and
/// anti the left ones; existence the left ones and a boolean. Rows leave in the order of the probe
/// side; build rows that are kept without a match come last. Where the condition fails for a pair,
/// the rows before that pair's probe row leave, then the error. If the build side is spilled
/// (spilled_join.h), this order costs another pass over the output on disk, and is kept only if it
/// is "ordered". Errors: Status::Invalid naming the member; Status::NotImplemented for a type of
/// key that it does not have.
Result<std::unique_ptr<Operator>> MakeHashJoin(OperatorSpec spec,
                                               std::vector<std::unique_ptr<Operator>> inputs,
                                               const TaskContext& context);

}  // namespace reprise
