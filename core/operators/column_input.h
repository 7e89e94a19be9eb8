// The leaf operator over columns that come from Spark.
#pragma once

#include <memory>

#include "operators/operator.h"
#include "transitions/column_source.h"

namespace reprise {

/// Kind "column_input": batches of up to `context.batch_rows_target` rows, copied from the columns
/// of `source`, fewer only at the end, before an error and where rows are large. `spec.output` are
/// the columns' fields; `spec.inputs` must be empty.
Result<std::unique_ptr<Operator>> MakeColumnInput(OperatorSpec spec,
                                                  std::unique_ptr<ColumnSource> source,
                                                  const TaskContext& context);

}  // namespace reprise
