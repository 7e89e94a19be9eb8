// Replays one partition of a dump, once or several times.
#pragma once

#include <functional>
#include <memory>

#include "base/trace_file.h"
#include "dump/dump_input.h"
#include "dump/reader.h"
#include "replay/assertion.h"
#include "replay/conf_overrides.h"
#include "replay/output_file.h"
#include "replay/profile.h"
#include "replay/reference.h"
#include "replay/replay.h"

namespace reprise {

/// What the replays of all partitions have in common.
struct ReplaySession {
  ReplayConf conf;
  std::unique_ptr<OutputFile> out;         ///< of the output rows of the first run; null: nowhere
  std::unique_ptr<Reference> reference;    ///< null: nothing to compare with but the records
  std::unique_ptr<Assertion> assertion;    ///< null: nothing is asserted
  std::unique_ptr<ReplayProfile> profile;  ///< null: no profile is taken
  std::unique_ptr<PerfCounters> counters;  ///< null: nothing is counted
  std::unique_ptr<Digester> all_output;    ///< of all partitions' first runs; null: nobody wants it
  std::shared_ptr<TraceFile> trace;        ///< null: nothing is traced
  std::function<void()> on_batch;          ///< told after every output batch; empty: nobody is told
};

/// Replays `record`, a partition of `dump`, as `options` say. Failing as Replay does.
Result<PartitionReplay> ReplayPartition(const OperatorDump& dump, const PartitionRecord& record,
                                        const ReplayOptions& options, const ReplaySession& session);

/// The rows that the operator emits over `record`, plain batches, as they are asked for; the end
/// too where it asks for more than was recorded. `dump`, `record`, `options` and `session` must
/// outlive the source.
BatchSource EmittedRows(const OperatorDump& dump, const PartitionRecord& record,
                        const ReplayOptions& options, const ReplaySession& session);

}  // namespace reprise
