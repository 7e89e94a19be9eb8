// The base class of all native operators.
#pragma once

#include <arrow/memory_pool.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/batch.h"
#include "base/batch_bounds.h"
#include "base/config_key.h"
#include "base/status.h"
#include "base/trace.h"
#include "base/value_errors.h"
#include "checksums/row_checksums.h"
#include "exchange/spill_storage.h"
#include "expressions/row_error.h"
#include "operators/activity_board.h"
#include "operators/capture.h"
#include "operators/task_memory.h"
#include "plan/spec.h"
#include "transitions/guest_groups.h"
#include "transitions/guest_rows.h"
#include "vocabulary/metrics.h"

namespace reprise {

/// What a task gives to the operators that run in it. Must outlive them.
struct TaskContext {
  arrow::MemoryPool* pool = arrow::default_memory_pool();
  /// Who grants the memory of `pool`, which is then this object; null: nobody counts, no limit.
  TaskMemory* memory = nullptr;
  /// Where spill files go. Without directories: the system's place for temporary files.
  SpillStorage spill_storage;
  /// Runs a function that waits for other tasks, as for a table that one of them builds: while it
  /// waits the task does not count as one that computes (spark.reprise.concurrentTasks). Empty: it
  /// is to be called as it is.
  std::function<void(const std::function<void()>&)> outside;
  /// Gives instants of the hybrid calendar in the proleptic Gregorian one: InstantRebase
  /// (scan/parquet_calendar.h). Empty: there is no JVM to do it.
  std::function<Status(const std::optional<std::string>& zone, std::vector<int64_t>* micros)>
      rebase_instants;
  /// Records what the task does and when; null: nobody wants to know.
  TraceRecorder* trace = nullptr;
  /// Is told of each batch that an operator gives; null: nobody looks.
  ActivityBoard* activity = nullptr;
  /// True once Spark wants the task to stop; asked at every batch. Empty: never.
  std::function<bool()> cancelled;
  /// The task's guests, by number, each to be taken once: then, or where there is none, null.
  /// Empty: there is no Spark.
  std::function<std::unique_ptr<GuestRows>(int64_t number)> take_guest;
  /// The same of the aggregate functions that Spark evaluates, which have numbers of their own.
  std::function<std::shared_ptr<GuestGroups>(int64_t number)> take_guest_groups;
  /// The median of how long, in milliseconds, the tasks of this stage that have ended have taken;
  /// nothing where none has, or nobody can say. Empty: nobody can say.
  std::function<std::optional<int64_t>()> median_task_ms;
  int64_t batch_rows_target = IntegerDefault("spark.reprise.sql.batchRows");
  /// Of values; see bounds().
  int64_t batch_bytes_target = IntegerDefault("spark.reprise.sql.batchBytes");
  int stage = 0;
  int partition = 0;
  int64_t attempt = 0;  ///< Spark's task attempt id, unique in the application

  /// Status::Cancelled once Spark wants the task to stop: asked at every batch of an operator, and
  /// by what runs long without pulling.
  Status CheckCancelled() const {
    const bool is_cancelled = cancelled && cancelled();
    return is_cancelled ? Status::Cancelled("the task was cancelled") : Status::OK();
  }

  /// How large a batch may be just now: less than the targets where memory is short.
  BatchBounds bounds() const {
    const int64_t bytes =
        memory == nullptr ? batch_bytes_target : memory->BatchBytes(batch_bytes_target);
    return {std::max<int64_t>(1, batch_rows_target), bytes};
  }
};

/// Counted by the base class for every operator; `extra` in the order
/// of ExtraMetrics (vocabulary/metrics.h).
struct OperatorMetrics {
  int64_t output_rows = 0;
  int64_t output_batches = 0;
  int64_t output_bytes = 0;
  int64_t spilled_disk_bytes = 0;  ///< written to spill files
  int64_t own_time_ns = 0;  ///< time in this operator, without its inputs and without capture
  std::vector<int64_t> extra;
};

/// What the ledger learns of an operator's output.
struct ChecksummedOutput {
  ChecksummedOutput(int64_t id, int column_count) : lore_id(id), checksummer(column_count) {}
  Status Add(const Batch& batch) {
    return below == nullptr ? checksummer.Add(batch) : checksummer.AddFiltered(batch, below);
  }
  const int64_t lore_id;
  RowChecksummer checksummer;
  RowChecksummer* below = nullptr;  ///< of the input, whose rows the operator may pass on
  bool complete = false;            ///< it was read to its end
};

/// What errors of this operator begin with: "RepriseFilter (LORE id 5): "; without the id where it
/// has none.
std::string ErrorPrefix(const OperatorSpec& spec);

/// For SpillFile::Make.
SpillStorage SpillStorageOf(const TaskContext& context);

/// An operator pulls one batch at a time from its inputs, on the task's own thread. This class owns
/// time and row metrics, cancellation, capture, the ledger's checksums and the operator's name in
/// errors; a derived class only computes.
///
/// No batch that leaves is larger than TaskContext::bounds(): this class hands a larger one on in
/// pieces, without copying it. A derived class that makes new values (gathers rows, decodes, lets
/// strings grow) must itself make no more of them at once than the bounds say.
///
/// Derived classes live in an anonymous namespace in their own `.cc` with a `Make…` function that
/// validates the spec and returns Result; constructors cannot fail.
///
/// An operator with state that grows overrides SpillableBytes and Spill (operators/task_memory.h),
/// and calls Reserve before it grows. Both may be called while it waits in Pull or Reserve, between
/// two calls of NextBatch, and after the last one: its state must be consistent there. What Spill
/// writes is told to CountSpilled.
class Operator : public MemoryUser {
 public:
  ~Operator() override;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  /// The next batch, or nothing at the end; after the end, nothing again. Errors name the operator
  /// and its LORE id. Batches without rows may occur.
  Result<std::optional<Batch>> Next();

  const OperatorSpec& spec() const { return spec_; }
  const std::shared_ptr<arrow::Schema>& output_schema() const { return output_schema_; }
  const OperatorMetrics& metrics() const { return metrics_; }
  const std::vector<std::unique_ptr<Operator>>& inputs() const { return inputs_; }

  /// Of a leaf that reads a broadcast: an id, unique in the process, of what it holds.
  virtual std::optional<int64_t> broadcast_id() const { return std::nullopt; }

  /// From now on shows every input and output batch to `capture`.
  void set_capture(std::unique_ptr<Capture> capture) { capture_ = std::move(capture); }

  /// From now on rows with a value that could not be computed (base/value_errors.h) do not leave,
  /// instead of failing: for comparing with rows that were recorded, where such ones are left out.
  /// `dropped`, where given, is told of each such error.
  void set_drops_errors(std::function<void(const Status&)> dropped = {}) {
    drops_errors_ = true;
    on_dropped_ = std::move(dropped);
  }

  /// From now on checksums the output, for the ledger, as that of the operator with this LORE id.
  void set_checksummed_as(int64_t lore_id);
  /// What was asked for by set_checksummed_as, so far; null where it was not.
  const ChecksummedOutput* checksummed() const { return checksummed_.get(); }

  /// Tells the captures of this operator and all below it with what the task has failed, before
  /// Finish.
  void TellFailure(const FailureOfTask& failure);

  /// Ends the capture of this operator and all below it, as the task ended.
  /// Call once, after the last Next. Operators whose end was not reached were stopped early by
  /// their consumer.
  Status Finish(CaptureEnd end);

  std::string MemoryName() const override;

 protected:
  Operator(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
           const TaskContext& context);

  /// Computes the next batch; called until it returns nothing.
  virtual Result<std::optional<Batch>> NextBatch() = 0;

  /// Whether column `column` of input `index` only leaves again, so that an error in place of a
  /// value of it may go along with its row (base/value_errors.h). Rows come up to the first that
  /// has one in another column.
  virtual bool hands_on(int index, int column) const { return false; }

  /// Whether batches may be handed on in pieces.
  virtual bool may_be_cut() const { return true; }

  /// How large a batch may be just now.
  BatchBounds bounds() const { return context_.bounds(); }

  /// Errors of this operator's values, which name it then, as an error of Next does.
  ValueErrors Named(ValueErrors errors) const;

  /// The next batch of input `index`, shown to the capture before it is returned.
  Result<std::optional<Batch>> Pull(int index = 0);

  /// To be called before this operator's state grows by about `bytes`, at a point where its own
  /// Spill may be called: makes room, by spilling operators of the task (this one too) where Spark
  /// grants no more. Status::OutOfMemory as TaskMemory::Reserve says.
  Status Reserve(int64_t bytes) {
    return context_.memory == nullptr ? Status::OK() : context_.memory->Reserve(this, bytes);
  }

  /// As Reserve, but nobody spills for it; false where Spark grants too little.
  bool TryReserve(int64_t bytes) {
    return context_.memory == nullptr || context_.memory->TryReserve(bytes);
  }

  /// Spill, of this operator's own accord: what is left of state that has been spilled in part.
  Status SpillRest() {
    return (context_.memory == nullptr ? Spill() : context_.memory->SpillTraced(this)).status();
  }

  /// Counts `disk_bytes` that this operator has written to spill files.
  void CountSpilled(int64_t disk_bytes);

  const TaskContext& context() const { return context_; }
  /// What this operator pulls is being recorded, so that all of it must be pulled.
  bool has_capture() const { return capture_ != nullptr && capture_->needs_all(); }
  arrow::MemoryPool* pool() const { return context_.pool; }
  OperatorMetrics& mutable_metrics() { return metrics_; }

 private:
  Result<std::optional<Batch>> NextWithinBounds();
  Status EndAtUsedError(Batch* batch);

  OperatorSpec spec_;
  std::shared_ptr<arrow::Schema> output_schema_;
  std::vector<std::unique_ptr<Operator>> inputs_;
  const Operator* consumer_ = nullptr;  // whose input this is; null: nobody's in the fragment
  int consumer_input_ = 0;              // which of them
  const TaskContext& context_;
  const TraceRange* trace_range_;  // of Next; null where nothing is traced
  std::unique_ptr<Capture> capture_;
  std::unique_ptr<ChecksummedOutput> checksummed_;
  OperatorMetrics metrics_;
  BatchCutter rest_;          // of a batch that is handed on in pieces
  bool is_piece_ = false;     // what was handed on last
  int64_t elsewhere_ns_ = 0;  // time spent below or in the capture during the current Next
  bool error_from_input_ = false;
  bool at_end_ = false;
  bool drops_errors_ = false;
  std::function<void(const Status&)> on_dropped_;
  DueError due_value_;  // that the consumer would use
};

}  // namespace reprise
