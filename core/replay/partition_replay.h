// Replays one partition of a dump, once or several times.
#pragma once

#include <functional>
#include <memory>

#include "base/trace_file.h"
#include "dump/reader.h"
#include "replay/output_file.h"
#include "replay/replay.h"

namespace reprise {

/// Where the replay of a partition writes to, besides its report.
struct ReplayOutputs {
  OutputFile* rows = nullptr;        ///< the output rows of the first run; null: nowhere
  std::shared_ptr<TraceFile> trace;  ///< null: nothing is traced
  std::function<void()> on_batch;    ///< told after every output batch; empty: nobody is told
};

/// Replays `record`, a partition of `dump`, as `options` say. Failing as Replay does.
Result<PartitionReplay> ReplayPartition(const OperatorDump& dump, const PartitionRecord& record,
                                        const ReplayOptions& options, const ReplayOutputs& outputs);

}  // namespace reprise
