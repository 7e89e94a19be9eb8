// A fragment that runs in a task: what stands behind the handles of reprise.bridge.Native, without
// JNI.
#pragma once

#include <arrow/memory_pool.h>

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/batch.h"
#include "base/fragment_trace.h"
#include "dump/record_input.h"
#include "exchange/block.h"
#include "operators/operator.h"
#include "task/core_entry.h"
#include "task/live_fragments.h"
#include "task/task_json.h"
#include "task/task_source.h"
#include "transitions/cache_encoder.h"
#include "transitions/row_encoder.h"

namespace reprise {

/// Figures of a fragment as a whole, cumulative.
struct FragmentFigures {
  int64_t spilled_bytes = 0;       ///< memory that spilling has freed
  int64_t spilled_disk_bytes = 0;  ///< what it has written
  int64_t peak_bytes = 0;          ///< of memory
  int64_t waited_ns = 0;           ///< to enter the core (spark.reprise.concurrentTasks)
};

/// Owns the operators of a fragment, their context and memory pool, and the encoder of their rows.
/// Used by one thread at a time.
class FragmentTask {
 public:
  /// Builds the fragment (fragment_json as in operators/fragment.h, task_json as in ParseTask).
  /// `sources` are those that the task's leaves name; each may be named once.
  static Result<std::unique_ptr<FragmentTask>> Open(std::string_view fragment_json,
                                                    std::string_view task_json,
                                                    std::vector<TaskSource> sources,
                                                    TaskServices services);
  /// A task that only gives the batches of a record, one for one.
  static Result<std::unique_ptr<FragmentTask>> OpenRecord(const InputRecord& input);
  ~FragmentTask();

  /// The next batch that has rows, or nothing at the end. A batch whose rows could need more than 1
  /// GB leaves in pieces, since the offsets of rows are of 32 bits.
  Result<std::optional<Batch>> Next();

  /// The next encoded block of a fragment whose root makes blocks (the writing side of an
  /// exchange), or of a task whose rows leave as batches of a cache (EncodedCacheBatch); nothing at
  /// the end.
  Result<std::optional<EncodedBlock>> NextBlock();

  /// The rows of one of this fragment's batches, valid until the next call.
  Result<EncodedRows> ToRows(const Batch& batch);

  /// How many figures Metrics writes: for each operator in pre-order as many as MetricsOfKind(its
  /// kind).
  int64_t metric_count() const { return metric_count_; }
  /// Writes the figures so far to `out`, which has metric_count() elements.
  void Metrics(std::span<int64_t> out) const;

  FragmentFigures Figures() const;

  /// What the ledger learns of the fragment's operators so far, as those of the query with this
  /// token: entries of docs/internals/ledger-format.md.
  std::string LedgerText(std::string_view query) const;

  /// Spills until about `bytes` are free, and gives them back: Spark wants the memory. Returns what
  /// was given back. May be called while the fragment waits in one of its sources, on the same
  /// thread.
  Result<int64_t> Spill(int64_t bytes);

  /// Records what belongs to this fragment; null where nothing is traced.
  TraceRecorder* trace() { return trace_ == nullptr ? nullptr : trace_->recorder(); }

  /// Ends the captures, of a failed task where `end` says so or Next has failed before, and frees
  /// operators and batches, of other fragments too; those handed out must be gone. What it has
  /// given to others stays valid until Close. `error`: FailureOfTask::error. Nothing but Finish and
  /// Close may be called then; the Status says what went wrong with a capture.
  Status Finish(CaptureEnd end, const std::string& error = {});
  bool is_finished() const { return finished_; }

  /// Finish, if that has not been, and gives back all memory: those that read its batches must have
  /// finished. The Status is that of Finish, or says, under spark.reprise.memory.debug, that memory
  /// was not given back, and by which operators; else that is a line on the standard error.
  /// Repeated calls do nothing.
  Status Close(CaptureEnd end);

 private:
  FragmentTask(TaskDescription task, TaskServices services);
  Status Build(std::string_view fragment_json, std::vector<TaskSource> sources);
  Result<std::optional<EncodedBlock>> NextCacheBatch();
  Result<std::unique_ptr<Operator>> MakeLeaf(int leaf, OperatorSpec spec,
                                             std::vector<TaskSource>& sources);
  Result<std::unique_ptr<Operator>> MakeScan(const TaskLeaf& input, OperatorSpec spec,
                                             std::vector<TaskSource>& sources);
  Result<std::unique_ptr<Operator>> MakeSourceLeaf(const TaskLeaf& input, OperatorSpec spec,
                                                   TaskSource source);
  Status LetGo(CaptureEnd end, const std::string& error);
  Status GiveBack(CaptureEnd end);
  Status CheckMemory();
  TraceRecorder* TraceHere();
  void EndTrace();

  TaskDescription task_;
  std::unique_ptr<FragmentTrace> trace_;  // null: nothing is traced; outlives all that is
  CoreEntry entry_;
  std::unique_ptr<MemoryManager> manager_;  // outlives pool_
  std::unique_ptr<TaskMemory> pool_;
  std::unique_ptr<ActivityBoard> activity_;  // null: nobody looks; nor is it in live_ then
  std::unique_ptr<LiveFragment> live_;
  TaskContext context_;
  std::unique_ptr<Operator> root_;
  std::vector<const Operator*> operators_;
  std::unique_ptr<UnsafeRowEncoder> encoder_;
  std::unique_ptr<CacheEncoder> cache_;  // null: the rows do not leave as batches of a cache
  std::deque<Batch> pieces_;             // of a large batch, still to be handed out
  int64_t metric_count_ = 0;
  Status failure_;
  bool finished_ = false;
  bool closed_ = false;
};

}  // namespace reprise
