#include "replay/replay.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "base/trace_file.h"
#include "replay/output_file.h"
#include "replay/partition_replay.h"
#include "replay/whole_input.h"
#include "rules/class_names.h"
#include "scan/piece_source.h"
#include "scan/scans.h"
#include "vocabulary/kinds.h"

namespace reprise {

namespace {

/// Whether it is replayed from what its tasks read, or from nothing.
bool IsReplayedLeaf(std::string_view kind) { return IsScanKind(kind) || kind == "range"; }

// Whether the operator reads all partitions of its inputs for each of its output.
bool ReadsApart(const OperatorDump& dump, const ReplayOptions& options) {
  return dump.plan().streams_apart &&
         (options.make_operator || dump.plan().spec.kind == kTakeOrderedKind);
}

// The partitions of the output, whatever was chosen of the inputs.
Result<std::vector<int>> OutputPartitions(const OperatorDump& dump) {
  if (dump.output() == nullptr) {
    return Status::Invalid(dump.folder(), ": the output of ", dump.plan().spec.name,
                           " was not recorded, so that nothing is known of its partitions");
  }
  for (const auto& input : dump.inputs()) {
    const std::vector<AttemptName> records = dump.AttemptsOf(input->stream);
    for (int i = 0; i < input->partitions; ++i) {
      if (std::ranges::binary_search(records, AttemptName{i, std::nullopt})) continue;
      return Status::Invalid(dump.folder(), ": ", dump.plan().spec.name,
                             " reads all partitions, and ", StreamName(input->stream),
                             " has no whole record of partition ", i);
    }
  }
  std::vector<int> partitions(static_cast<size_t>(dump.output()->partitions));
  std::iota(partitions.begin(), partitions.end(), 0);
  return partitions;
}

Result<std::vector<int>> PartitionsToReplay(const OperatorDump& dump,
                                            const ReplayOptions& options) {
  if (options.partition) return std::vector<int>{*options.partition};
  if (options.attempt) {
    return Status::Invalid("an attempt is replayed of one partition: name it with --partition");
  }
  if (ReadsApart(dump, options)) return OutputPartitions(dump);
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
  if (ReadsApart(dump, options)) {
    // Who makes the operator otherwise reads the record by himself.
    return options.make_operator ? dump.OutputPartition(partition)
                                 : RecordOfWholeInputs(dump, partition);
  }
  return options.attempt ? dump.Attempt(partition, *options.attempt)
                         : dump.Partition(partition, options.truncated);
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

Result<ReplaySession> MakeSession(const OperatorDump& dump, const ReplayOptions& options) {
  const std::vector<Field>& output = dump.plan().spec.output;
  ReplaySession session;
  ARROW_ASSIGN_OR_RAISE(session.conf, ParseReplayConf(options.conf, dump.plan()));
  if (!options.assertion.empty()) {
    ARROW_ASSIGN_OR_RAISE(session.assertion, Assertion::Make(options.assertion, output));
  }
  if (!options.compare_path.empty()) {
    ARROW_ASSIGN_OR_RAISE(
        session.reference,
        Reference::Open(options.compare_path, output, dump.plan().partition_count, options.pool));
    if (session.reference->whole()) {
      session.all_output = std::make_unique<Digester>(static_cast<int>(output.size()));
    }
  }
  if (!options.out_path.empty()) {
    ARROW_ASSIGN_OR_RAISE(session.out, OutputFile::Create(options.out_path, output));
  }
  ARROW_ASSIGN_OR_RAISE(session.trace, OpenTrace(dump, options));
  return session;
}

// The rows of all partitions, one after the other, as the reference gives its own.
BatchSource AllEmittedRows(const OperatorDump& dump, const std::vector<int>& partitions,
                           const ReplayOptions& options, const ReplaySession& session) {
  struct Position {
    size_t next = 0;  // of `partitions`
    PartitionRecord record;
    BatchSource source;  // of the partition before `next`
  };
  return [&, at = std::make_shared<Position>()]() -> Result<std::shared_ptr<arrow::RecordBatch>> {
    while (true) {
      if (at->source) {
        ARROW_ASSIGN_OR_RAISE(auto batch, at->source());
        if (batch != nullptr) return session.reference->Comparable(std::move(batch));
      }
      if (at->next == partitions.size()) return nullptr;
      ARROW_ASSIGN_OR_RAISE(at->record, RecordToReplay(dump, partitions[at->next++], options));
      at->source = EmittedRows(dump, at->record, options, session);
    }
  };
}

// The output of all partitions beside the one file that it is to be compared with.
Result<ReferenceComparison> CompareAll(const OperatorDump& dump, const std::vector<int>& partitions,
                                       const ReplayOptions& options, const ReplaySession& session) {
  ARROW_ASSIGN_OR_RAISE(const ReferenceRows rows, session.reference->Rows(0));
  ReferenceComparison result;
  result.comparison = Compare(rows.meta, session.all_output->digest(), options.ordered);
  if (result.comparison.holds()) return result;
  ARROW_ASSIGN_OR_RAISE(const BatchSource source, rows.open());
  auto difference = FindFirstDifference(source, AllEmittedRows(dump, partitions, options, session),
                                        INT64_MAX, options.pool);
  // An operator that fails has said so in its partition's report.
  if (difference.ok()) result.first_difference = *std::move(difference);
  return result;
}

// Writes who held the memory of the partition that took most, and tells of it.
Status TellMemory(const ReplayOptions& options, ReplayReport* report) {
  const SiteTrackingPool* most = nullptr;
  for (const PartitionReplay& replay : report->partitions) {
    if (replay.sites == nullptr) continue;
    if (most == nullptr || replay.sites->peak_bytes() > most->peak_bytes()) {
      most = replay.sites.get();
    }
  }
  if (most == nullptr) return Status::OK();
  const HeldAtPeak held = most->AtPeak();
  report->memory_sites = held.Sites();
  const OperatorSpec& spec = report->plan.spec;
  return WriteMemoryProfile(
      options.memory_profile_path,
      fmt::format("memory of a replay of {} [loreId={}]", spec.name, spec.lore_id), held);
}

}  // namespace

int64_t PartitionReplay::own_time_ns() const {
  const auto fastest = std::ranges::min_element(runs, {}, &ReplayRun::own_time_ns);
  return fastest == runs.end() ? 0 : fastest->own_time_ns;
}

bool ReplayReport::holds() const {
  return (!reference || reference->comparison.holds()) &&
         std::all_of(partitions.begin(), partitions.end(),
                     [](const PartitionReplay& partition) { return partition.holds(); });
}

ReplayVerdict ReplayReport::verdict() const {
  const auto fails_again = [](const PartitionReplay& partition) {
    return !partition.error.empty() && partition.failed_attempt &&
           partition.failed_attempt->again == FailedAgain::kInSameWay;
  };
  if (!partitions.empty() && std::ranges::all_of(partitions, fails_again)) {
    return ReplayVerdict::kFailedAgain;
  }
  if (!holds()) return ReplayVerdict::kDifferent;
  const bool compared = reference || std::ranges::all_of(partitions, &PartitionReplay::is_compared);
  return compared ? ReplayVerdict::kEqual : ReplayVerdict::kNotCompared;
}

std::string_view Name(ReplayVerdict verdict) {
  switch (verdict) {
    case ReplayVerdict::kEqual:
      return "equal";
    case ReplayVerdict::kDifferent:
      return "different";
    case ReplayVerdict::kNotCompared:
      return "not compared";
    case ReplayVerdict::kFailedAgain:
      return "failed again";
  }
  return "";
}

Result<ReplayReport> Replay(const std::string& folder, const ReplayOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const OperatorDump dump, OperatorDump::Open(folder));
  const bool is_made_elsewhere = options.make_operator != nullptr;
  if (dump.inputs().empty() && !is_made_elsewhere && !IsReplayedLeaf(dump.plan().spec.kind)) {
    return Status::Invalid(folder, ": ", dump.plan().spec.name,
                           " reads no other operator, so that no input was recorded to replay");
  }
  ARROW_ASSIGN_OR_RAISE(const std::vector<int> partitions, PartitionsToReplay(dump, options));
  ARROW_ASSIGN_OR_RAISE(ReplaySession session, MakeSession(dump, options));
  ReplayReport report;
  report.plan = dump.plan();
  if (!options.memory_profile_path.empty()) {
    RETURN_NOT_OK(CheckPagePath(options.memory_profile_path));
  }
  if (!options.profile_path.empty()) {
    ARROW_ASSIGN_OR_RAISE(session.profile,
                          ReplayProfile::Begin(options.profile_path, dump.plan().spec));
  }
  if (options.perf_counters) {
    auto counters = PerfCounters::Open();
    if (!counters.ok()) report.counters_missing = counters.status().message();
    if (counters.ok()) session.counters = *std::move(counters);
  }
  const int total = static_cast<int>(partitions.size());
  const auto tell = [&] {
    if (options.progress) options.progress(static_cast<int>(report.partitions.size()), total);
  };
  session.on_batch = tell;
  for (const int partition : partitions) {
    ARROW_ASSIGN_OR_RAISE(const PartitionRecord record, RecordToReplay(dump, partition, options));
    ARROW_ASSIGN_OR_RAISE(PartitionReplay replay, ReplayPartition(dump, record, options, session));
    report.partitions.push_back(std::move(replay));
    tell();
  }
  RETURN_NOT_OK(TellMemory(options, &report));
  if (session.counters != nullptr) report.counters = session.counters->Values();
  if (session.profile != nullptr) RETURN_NOT_OK(session.profile->Write());
  if (session.out != nullptr) {
    RETURN_NOT_OK(WithPrefix(session.out->Close(), options.out_path + ": "));
  }
  if (session.all_output != nullptr) {
    ARROW_ASSIGN_OR_RAISE(report.reference, CompareAll(dump, partitions, options, session));
  }
  return report;
}

}  // namespace reprise
