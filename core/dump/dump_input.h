// dump_input: the leaf that feeds a replayed operator with recorded batches.
#pragma once

#include <arrow/record_batch.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Hands out the next recorded batch; nullptr after the last.
using BatchSource = std::function<Result<std::shared_ptr<arrow::RecordBatch>>()>;

/// An operator without inputs that emits the batches of `source`.
///   input   none
///   output  the recorded batches, one for one, of schema `schema`
/// `exhausted` says whether the recorded stream ended of itself. Where it did not (its consumer
/// stopped it, or the task died), asking for more than was recorded is an error that IsRecordEnd
/// recognises: what would have come is not known.
std::unique_ptr<Operator> MakeDumpInput(std::string name, std::vector<Field> schema,
                                        BatchSource source, bool exhausted,
                                        const TaskContext& context);

/// What such an operator fails with at the end of a record that its stream outlasted.
Status RecordEnd();

/// Whether an operator failed because it asked for more input than was recorded.
bool IsRecordEnd(const Status& status);

}  // namespace reprise
