// The leaf operator over rows that come from Spark.
#pragma once

#include <memory>
#include <optional>

#include "operators/operator.h"
#include "transitions/row_source.h"

namespace reprise {

/// Kind "row_input": batches of up to `context.batch_rows_target` rows from `source`, fewer only at
/// the end and where rows are large. `spec.output` are the rows' fields; `spec.inputs` must be
/// empty. `broadcast`: where the rows are a broadcast's, an id that is unique in the process for
/// what it holds.
Result<std::unique_ptr<Operator>> MakeRowInput(OperatorSpec spec, std::unique_ptr<RowSource> source,
                                               const TaskContext& context,
                                               std::optional<int64_t> broadcast = std::nullopt);

}  // namespace reprise
