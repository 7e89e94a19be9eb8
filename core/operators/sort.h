// The sort of a partition.
#pragma once

#include "operators/operator.h"

namespace reprise {

/// Kind "sort", arguments {"ordering":[ORDER…]} with ORDER =
/// {"expression":EXPR,"ascending":bool,"nullsFirst":bool}. One input; the output has its columns.
Result<std::unique_ptr<Operator>> MakeSort(OperatorSpec spec,
                                           std::vector<std::unique_ptr<Operator>> inputs,
                                           const TaskContext& context);

/// Status::Invalid where the output's columns are not of the types of those of the only input.
Status CheckSameColumns(const OperatorSpec& spec);

}  // namespace reprise
