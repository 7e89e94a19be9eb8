// A check that an operator's rows come in the order that the plan promises of it.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// An operator that lets the batches of `checked`, an operator of `spec`, pass while their rows are
/// in the order `ordering`: [{"column":0,"ascending":true,"nullsFirst":true}…], of columns of
/// its output. A row that comes too late is a programmer's error: a failed check that names the
/// operator, its LORE id, and the two rows, without the values of the columns i where `masked[i]`
/// (spark.reprise.order.debug). From the first column on whose type has no native order, nothing is
/// checked.
///
/// Status::Invalid names what is missing in `ordering`.
Result<std::unique_ptr<Operator>> MakeOrderCheck(const nlohmann::json& ordering,
                                                 const OperatorSpec& spec,
                                                 std::unique_ptr<Operator> checked,
                                                 std::vector<bool> masked,
                                                 const TaskContext& context);

}  // namespace reprise
