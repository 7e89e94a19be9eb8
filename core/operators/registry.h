// Makes operators from specs, by the rows of the vocabulary.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Makes the operator that `spec.kind` names. Status::NotImplemented for a kind that the vocabulary
/// does not have, Status::Invalid (naming the member) for a spec that the kind cannot take.
Result<std::unique_ptr<Operator>> MakeOperator(OperatorSpec spec,
                                               std::vector<std::unique_ptr<Operator>> inputs,
                                               const TaskContext& context);

/// The metrics of a kind: BaseMetrics() and then its own. Unknown kinds have the base ones.
std::vector<Metric> MetricsOf(std::string_view kind);

}  // namespace reprise
