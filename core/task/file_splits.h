// The file splits of a task's leaf, with their partition values decoded.
#pragma once

#include <vector>

#include "plan/spec.h"
#include "scan/file_split.h"
#include "task/task_json.h"

namespace reprise {

/// The files of `leaf` for the scan `spec`, whose argument "partitionColumns" says what the
/// partition values are. No argument: no partition columns. Partition values that cannot be read
/// are Status::Invalid naming the file.
Result<std::vector<FileSplit>> FileSplitsOf(const TaskLeaf& leaf, const OperatorSpec& spec);

}  // namespace reprise
