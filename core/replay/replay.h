// Replay: one operator of a dump, run again alone.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config.h"
#include "dump/reader.h"
#include "operators/operator.h"
#include "replay/allocation_sites.h"
#include "replay/assertion.h"
#include "replay/comparison.h"
#include "replay/failed_attempt.h"
#include "replay/failing_place.h"
#include "replay/first_difference.h"
#include "replay/fragment_figures.h"
#include "replay/perf_counters.h"

namespace reprise {

/// Makes the operator to replay; the default is MakeOperator.
using OperatorFactory = std::function<Result<std::unique_ptr<Operator>>(
    OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs, const TaskContext& context)>;

struct ReplayOptions {
  std::optional<int> partition;  ///< absent: all
  std::optional<int64_t>
      attempt;             ///< replay what this attempt recorded, whole or not; needs `partition`
  bool truncated = false;  ///< take records that a limit of the capture has cut off
  bool recorded_only = false;  ///< without `partition`: leave out partitions that have no record
  int repeat = 1;              ///< runs of each partition, at least 1
  int warmup = 0;              ///< runs of each partition before those, which are not timed
  bool ordered = false;        ///< the output's order must agree too
  ConfigMap conf;              ///< replaces what was recorded; see conf_overrides.h
  std::string
      compare_path;        ///< compare the output with this too (reference.h); empty: with nothing
  std::string assertion;   ///< every output row must satisfy this SQL predicate; empty: none
  std::string out_path;    ///< write the output there; empty: nowhere
  std::string trace_path;  ///< write a trace (base/trace_file.h) there; empty: nowhere
  /// Write a flame graph of the memory that is held at the peak there; empty: nowhere.
  std::string memory_profile_path;
  std::string profile_path;     ///< write a flame graph (an HTML page) there; empty: nowhere
  bool perf_counters = false;   ///< read the processor's counters in the timed runs
  bool under_debugger = false;  ///< keep what a debugger shows (debugger_hook.h)
  /// Of a fragment: the operator at which a debugger stops; 0: its root.
  int64_t break_at = 0;
  bool locates_failures = true;  ///< look for the row at which an operator fails
  bool counts_memory = false;    ///< measure what the task takes, also where it has no limit
  arrow::MemoryPool* pool = arrow::default_memory_pool();
  OperatorFactory make_operator;  ///< empty: MakeOperator
  /// Takes every batch of the output, in the first timed run; an error ends the replay with it.
  /// Empty: nobody wants them.
  std::function<Status(const std::shared_ptr<arrow::RecordBatch>& records)> take_output;
  /// Asked before every input batch and after every output batch of every run; an error ends the
  /// replay with it. Empty: nobody stops it.
  std::function<Status()> go_on;
  /// Told after every output batch: partitions done, partitions in all. Empty: nobody is told.
  std::function<void(int done, int total)> progress;
};

/// One run of the operator over one partition.
struct ReplayRun {
  int64_t own_time_ns = 0;   ///< in the operator alone
  int64_t wall_time_ns = 0;  ///< with reading of the recorded batches
};

/// The comparison with rows that are not the replayed dump's own.
struct ReferenceComparison {
  Comparison comparison;
  std::optional<FirstDifference> first_difference;  ///< from the reference's rows, in order
};

/// What a task has taken of memory in its first run.
struct ReplayMemory {
  int64_t peak_bytes = 0;
  int64_t spilled_bytes = 0;  ///< written to disk
};

struct PartitionReplay {
  int partition = 0;
  int64_t attempt = 0;
  int64_t input_rows = 0;
  int64_t input_batches = 0;
  StreamDigest output;  ///< of all rows that the first run emitted
  std::vector<ReplayRun> runs;
  /// Present where its memory was limited, or ReplayOptions::counts_memory.
  std::optional<ReplayMemory> memory;
  /// Who has allocated what, where that is asked for.
  std::shared_ptr<const SiteTrackingPool> sites;
  /// Of a fragment: what went through each of its operators in the first run, the root first.
  std::vector<OperatorFigures> operators;
  Comparison comparison;
  std::optional<FirstDifference> first_difference;  ///< from the recorded rows, in order
  /// With the rows of ReplayOptions::compare_path; absent where there is none, or one for all
  /// partitions.
  std::optional<ReferenceComparison> reference;
  std::optional<AssertionOutcome> assertion;  ///< absent without ReplayOptions::assertion
  /// The record of an input ends before its stream did, and the operator asked for more: the replay
  /// ends there.
  bool ended_with_record = false;
  /// A limit of the capture has left out rows of an input, so that nothing can be compared.
  bool input_is_cut = false;
  /// Of an attempt that has failed: what is to be seen is whether it fails again.
  std::optional<FailedAttempt> failed_attempt;
  /// Another run emitted other rows, or in another order, than the first.
  bool unstable = false;
  std::string error;   ///< what the operator raised; empty: nothing
  RaisedError raised;  ///< the same, as records tell of errors
  /// Where it failed; absent where it did not, where it failed after its inputs' ends, or where it
  /// reads the record by itself.
  std::optional<FailingPlace> failing_place;

  /// Of the fastest run, in the operator alone; 0 where there was none.
  int64_t own_time_ns() const;

  /// Whether the output was compared with anything: rows that were recorded, even none up to their
  /// end, those of ReplayOptions::compare_path, or an assertion.
  bool is_compared() const {
    const bool with_record = comparison.verdict != Verdict::kNotRecorded &&
                             (!comparison.prefix || comparison.recorded.rows > 0);
    return with_record || reference || assertion;
  }

  /// Whether nothing speaks against the recorded behaviour: no error, stable, not different.
  bool is_as_recorded() const {
    const bool should_fail = failed_attempt && failed_attempt->must_fail;
    return error.empty() && !should_fail && !unstable && comparison.holds() &&
           (!reference || reference->comparison.holds());
  }
  /// And nothing against what is asserted.
  bool holds() const { return is_as_recorded() && (!assertion || assertion->holds()); }
};

/// What a replay says of all partitions together.
enum class ReplayVerdict {
  kEqual,        ///< each was compared, and all are as recorded
  kDifferent,    ///< one is not as recorded, or fails
  kNotCompared,  ///< of one there was nothing to compare with
  kFailedAgain,  ///< each is of an attempt that failed, and fails in the same way
};

/// "equal", "different", "not compared", "failed again".
std::string_view Name(ReplayVerdict verdict);

struct ReplayReport {
  PlanMeta plan;
  std::vector<PartitionReplay> partitions;
  /// The output of all partitions, one after the other, compared with the file that
  /// ReplayOptions::compare_path names; absent where it names none.
  std::optional<ReferenceComparison> reference;
  /// In the operator and its reading of inputs, all timed runs; empty unless asked for.
  std::vector<CounterValue> counters;
  /// Of the partition that held most, where that is asked for.
  std::vector<AllocationSite> memory_sites;
  std::string counters_missing;  ///< why there are none though they were asked for
  /// Whether nothing speaks against it.
  bool holds() const;
  ReplayVerdict verdict() const;
};

/// Replays the operator whose dump is `folder` (…/loreId-N). Each partition's recorded batches are
/// fed one for one, with the recorded batch size; where the consumer had stopped the output, the
/// replay stops after as many rows. With `repeat` above 1, or a warm-up, the input batches are
/// decoded once and kept in memory, so that only the operator is timed. The output is written,
/// compared and asserted in the first timed run; the others must only agree with it.
///
/// Errors of the operator itself are part of the report. A failing Status means that nothing can be
/// said: the dump cannot be read, a partition is incomplete, the operator cannot be made, the
/// output file cannot be written.
Result<ReplayReport> Replay(const std::string& folder, const ReplayOptions& options);

}  // namespace reprise
