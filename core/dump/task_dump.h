// Writes the dump of one task of an operator from rows in memory.
#pragma once

#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dump/reader.h"

namespace reprise {

/// What a task of an operator reads, and emits where that is known: whole streams.
struct TaskRows {
  PartitionHeader header;  ///< its stream and its leaf do not count
  std::vector<RecordBatches> inputs;
  std::optional<RecordBatches> output;
};

/// Reads all that is recorded of the inputs of a partition; the output is left out.
Result<TaskRows> ReadTaskRows(const PartitionRecord& record, arrow::MemoryPool* pool);

/// Writes `folder` (…/loreId-N), the dump of the operator of `plan` with this one task: the
/// partition is the only one that is captured, and streams that all tasks share are recorded once.
/// `inputs`: the streams as the operator has them, one for each of `rows`. Status::Invalid where
/// the folder exists already, Status::IOError where it cannot be written.
Status WriteTaskDump(const std::string& folder, PlanMeta plan,
                     const std::vector<std::shared_ptr<const RddMeta>>& inputs,
                     const TaskRows& rows, arrow::MemoryPool* pool);

}  // namespace reprise
