// Writes what an operator reads and emits into its dump folder while its task runs.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "operators/capture.h"
#include "operators/operator.h"

namespace reprise {

/// The capture of one operator in one task attempt. `capture` is the member of that name of the
/// operator's verdict:
///   {"path":"file:/…","loreId":5,"partitions":[3,4]?,"output":true,"query":"token"}
///
/// Each batch is in its file, and its line in partition.meta, when OnInput or OnOutput returns. The
/// attempt writes into partition-P.attempt-A/ of every stream; Finish(false) commits, Finish(true)
/// leaves these folders aside with the remark that the task failed. The commit is the rename of one
/// folder, that of the first stream: an attempt that finds it taken removes its own folders; one
/// that wins then renames its other folders.
///
/// Holds at most one encoded batch in memory. nullptr where nothing is to be recorded: the
/// partition is not among those listed, has been committed already, or is being recorded by the
/// same attempt (a task that computes a partition twice). Status::Invalid for a malformed
/// `capture`, Status::IOError where a folder cannot be made.
Result<std::unique_ptr<Capture>> MakeDumpCapture(const OperatorSpec& spec,
                                                 const nlohmann::json& capture,
                                                 const TaskContext& context);

}  // namespace reprise
