#include "replay/replay.h"

#include <algorithm>
#include <chrono>

#include "base/trace_file.h"
#include "replay/output_file.h"
#include "replay/partition_replay.h"

namespace reprise {

namespace {

Result<std::vector<int>> PartitionsToReplay(const OperatorDump& dump,
                                            const ReplayOptions& options) {
  if (options.partition) return std::vector<int>{*options.partition};
  if (options.attempt) {
    return Status::Invalid("an attempt is replayed of one partition: name it with --partition");
  }
  std::vector<int> partitions;
  std::vector<int> missing;
  for (int i = 0; i < dump.plan().partition_count; ++i) {
    if (!dump.plan().Captures(i)) continue;
    (dump.HasCommitted(i) ? partitions : missing).push_back(i);
  }
  if (partitions.empty() && missing.empty()) {
    return Status::Invalid(dump.folder(), " has no captured partition");
  }
  if (missing.empty() || (options.recorded_only && !partitions.empty())) return partitions;
  const Status first = dump.Partition(missing[0]).status();
  return first.WithMessage(first.message(), " (", missing.size(), " of ",
                           partitions.size() + missing.size(),
                           " partitions lack a whole record; --recorded replays the others)");
}

Result<PartitionRecord> RecordToReplay(const OperatorDump& dump, int partition,
                                       const ReplayOptions& options) {
  return options.attempt ? dump.Attempt(partition, *options.attempt) : dump.Partition(partition);
}

Result<std::shared_ptr<TraceFile>> OpenTrace(const OperatorDump& dump,
                                             const ReplayOptions& options) {
  if (options.trace_path.empty()) return nullptr;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  auto file = std::make_shared<TraceFile>(
      options.trace_path,
      fmt::format("replay of {} [loreId={}]", dump.plan().spec.name, dump.plan().spec.lore_id), 1,
      std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
  RETURN_NOT_OK(file->Start());
  return file;
}

}  // namespace

bool ReplayReport::holds() const {
  return std::all_of(partitions.begin(), partitions.end(),
                     [](const PartitionReplay& partition) { return partition.holds(); });
}

Result<ReplayReport> Replay(const std::string& folder, const ReplayOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const OperatorDump dump, OperatorDump::Open(folder));
  if (dump.inputs().empty()) {
    return Status::Invalid(folder, ": ", dump.plan().spec.name,
                           " reads no other operator, so that no input was recorded to replay");
  }
  ARROW_ASSIGN_OR_RAISE(const std::vector<int> partitions, PartitionsToReplay(dump, options));
  std::unique_ptr<OutputFile> out;
  if (!options.out_path.empty()) {
    ARROW_ASSIGN_OR_RAISE(out, OutputFile::Create(options.out_path, dump.plan().spec.output));
  }
  ARROW_ASSIGN_OR_RAISE(const auto trace, OpenTrace(dump, options));
  ReplayReport report{dump.plan(), {}};
  const int total = static_cast<int>(partitions.size());
  for (const int partition : partitions) {
    ARROW_ASSIGN_OR_RAISE(const PartitionRecord record, RecordToReplay(dump, partition, options));
    const auto tell = [&] {
      if (options.progress) options.progress(static_cast<int>(report.partitions.size()), total);
    };
    ARROW_ASSIGN_OR_RAISE(PartitionReplay replay,
                          ReplayPartition(dump, record, options, {out.get(), trace, tell}));
    report.partitions.push_back(std::move(replay));
    tell();
  }
  if (out != nullptr) {
    const Status closed = out->Close();
    if (!closed.ok()) return WithPrefix(closed, options.out_path + ": ");
  }
  return report;
}

}  // namespace reprise
