// The sort of a partition.
#pragma once

#include "operators/operator.h"

namespace reprise {

/// Kind "sort", arguments {"ordering":[ORDER…]} with ORDER =
/// {"expression":EXPR,"ascending":bool,"nullsFirst":bool}. One input; the output has its columns,
/// or the first of them: those behind are keys that Spark has computed.
Result<std::unique_ptr<Operator>> MakeSort(OperatorSpec spec,
                                           std::vector<std::unique_ptr<Operator>> inputs,
                                           const TaskContext& context);

/// Status::Invalid where the output's columns are not of the types of those of the only input.
Status CheckSameColumns(const OperatorSpec& spec);
/// Status::Invalid where the output's columns are not the input's first ones.
Status CheckColumnsOfInput(const OperatorSpec& spec);
/// The same of the output's first columns, of which there must be as many as the input has.
Status CheckInputFirst(const OperatorSpec& spec);

}  // namespace reprise
