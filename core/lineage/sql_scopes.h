// Which SQL operators became which RDDs. Spark gives an RDD the scope of the operator that made it,
// named as the operator; the operator's metrics tell which of several of that name it was.
#pragma once

#include <string>
#include <vector>

#include "eventlog/log_model.h"

namespace reprise {

/// The query that the stage ran for, or nullptr.
const SqlExecution* ExecutionOf(const LogModel& model, const Stage& stage);

/// The operators behind the scope of an RDD in a stage: the one so named and those below it that
/// have no RDDs of their own, down to the next exchange. "HashAggregate [loreId=5]"; where a log
/// can't tell several of a name apart, "Sort [loreId=3 or 9]". Empty for scopes of no operator.
std::vector<std::string> OperatorsOfScope(const LogModel& model, const Stage& stage,
                                          const Rdd& rdd);

}  // namespace reprise
