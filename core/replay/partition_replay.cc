#include "replay/partition_replay.h"

#include "base/fragment_trace.h"
#include "base/trace.h"
#include "operators/fixed_memory.h"
#include "operators/fragment_spec.h"
#include "operators/registry.h"
#include "replay/debugger_hook.h"
#include "replay/recorded_splits.h"
#include "scan/piece_source.h"
#include "scan/scans.h"
#include "vocabulary/kinds.h"

namespace reprise {

namespace {

constexpr TraceRange kRunRange = {"run", "replay", {"run", "rows"}};
constexpr TraceRange kWarmupRange = {"warm-up", "replay", {"run", "rows"}};

// Batches of an input, read again for each step of the way to the row that fails.
constexpr int64_t kBatchesToRepeat = 64;

// Reads the batches as the operator asks for them.
BatchSource Streaming(const StreamRecord& record, arrow::MemoryPool* pool) {
  auto reader = std::make_shared<BatchReader>(record, pool);
  return [reader] { return reader->Next(); };
}

BatchSource Kept(const std::shared_ptr<const RecordBatches>& batches) {
  return [batches, next = size_t{0}]() mutable -> Result<std::shared_ptr<arrow::RecordBatch>> {
    return next < batches->size() ? (*batches)[next++] : nullptr;
  };
}

// The task that a replayed operator believes to run in.
class ReplayTask {
 public:
  /// `tells_users`: who takes memory is to be told, also where it has no limit.
  ReplayTask(const PartitionRecord& record, const ReplayOptions& options, const ReplayConf& conf,
             bool tells_users = false) {
    context_.pool = options.pool;
    context_.partition = record.partition;
    context_.attempt = record.attempt;
    const StreamRecord& stream = record.inputs.empty() ? *record.output : record.inputs[0];
    context_.stage = stream.meta.header.stage;
    context_.batch_rows_target = stream.meta.header.batch_rows;
    if (conf.batch_rows) context_.batch_rows_target = *conf.batch_rows;
    if (conf.batch_bytes) context_.batch_bytes_target = *conf.batch_bytes;
    if (!options.memory_profile_path.empty()) {
      sites_ = std::make_shared<SiteTrackingPool>(arrow::default_memory_pool());
    }
    if (!conf.memory_bytes && !options.counts_memory && !tells_users && !sites_) return;
    if (conf.memory_bytes) memory_limit_ = std::make_unique<FixedMemory>(*conf.memory_bytes);
    memory_ = std::make_unique<TaskMemory>(
        memory_limit_.get(),
        TaskMemory::Options{.tracks_users = tells_users, .parent = sites_.get()});
    context_.memory = memory_.get();
    context_.pool = memory_.get();
  }

  TaskContext& context() { return context_; }
  const std::shared_ptr<SiteTrackingPool>& sites() const { return sites_; }
  const TaskMemory* task_memory() const { return memory_.get(); }

  /// What it has taken so far; nothing where nobody counts.
  std::optional<ReplayMemory> memory() const {
    if (memory_ == nullptr) return std::nullopt;
    return ReplayMemory{memory_->max_memory(), memory_->spilled_disk_bytes()};
  }

 private:
  std::shared_ptr<SiteTrackingPool> sites_;  // null: nobody asks
  std::unique_ptr<FixedMemory> memory_limit_;
  std::unique_ptr<TaskMemory> memory_;
  TaskContext context_;
};

// Told of each value that could not be computed, and whose row is left out then; empty: such a
// value is an error.
using DroppedErrors = std::optional<std::function<void(const Status&)>>;

// Where the operator did not fail, nobody used the values that it could not compute.
DroppedErrors DropsFor(const PartitionRecord& record) {
  const std::optional<RaisedError> failure = record.Failure();
  const bool may_fail = !record.output || (failure && failure->here != false);
  return may_fail ? DroppedErrors() : DroppedErrors(nullptr);
}

// What an operator has been given of its inputs, and of which one how much it may be given.
struct Given {
  int input = -1;                // that gave a batch last; -1: none, or one has ended since
  std::vector<int64_t> batches;  // of each input
  // Of this input only the batches from `first` on, and of `last` the first `rows` rows.
  int cut_input = -1;
  int64_t first = 0;
  int64_t last = 0;
  int64_t rows = 0;
};

// Batches as they come from `source`, cut as `given` says, which is told of them.
BatchSource Counted(BatchSource source, int input, std::shared_ptr<Given> given) {
  return [source = std::move(source), input,
          given = std::move(given)]() -> Result<std::shared_ptr<arrow::RecordBatch>> {
    int64_t& number = given->batches[static_cast<size_t>(input)];
    const bool is_cut = input == given->cut_input;
    std::shared_ptr<arrow::RecordBatch> batch;
    do {
      batch = nullptr;
      if (is_cut && number > given->last) break;
      ARROW_ASSIGN_OR_RAISE(batch, source());
      ++number;
    } while (is_cut && batch != nullptr && number <= given->first);
    given->input = batch == nullptr ? -1 : input;
    if (is_cut && batch != nullptr && number > given->last) return batch->Slice(0, given->rows);
    return batch;
  };
}

// The operator over the record's batches, `kept` in memory or read as it asks for them.
// `unreadable` receives the error of a batch that cannot be read, to tell it from the operator's
// own errors.
Result<std::unique_ptr<Operator>> MakeReplayed(
    const OperatorDump& dump, const PartitionRecord& record, const ReplayOptions& options,
    const ReplayConf& conf, const std::vector<std::shared_ptr<const RecordBatches>>& kept,
    const TaskContext& context, const DroppedErrors& drops, Status* unreadable,
    const std::shared_ptr<Given>& given = nullptr) {
  std::vector<std::unique_ptr<Operator>> inputs;
  for (size_t i = 0; i < record.inputs.size(); ++i) {
    const StreamRecord& input = record.inputs[i];
    BatchSource source = kept.empty() ? Streaming(input, options.pool) : Kept(kept[i]);
    if (given) source = Counted(std::move(source), static_cast<int>(i), given);
    const auto watched = [source, unreadable, i, shows = options.under_debugger,
                          go_on = options.go_on]() -> Result<std::shared_ptr<arrow::RecordBatch>> {
      if (go_on) *unreadable &= go_on();
      RETURN_NOT_OK(*unreadable);
      auto batch = source();
      *unreadable &= batch.status();
      if (shows && batch.ok()) TellDebuggerOfBatch(static_cast<int>(i), *batch);
      return batch;
    };
    inputs.push_back(MakeDumpInput(StreamName(static_cast<int>(i)), input.rdd->schema, watched,
                                   record.HoldsWhatWasWanted(input), context));
  }
  OperatorSpec spec = dump.plan().spec;
  if (!conf.codec.empty() && spec.arguments.contains("codec")) {
    spec.arguments["codec"] = conf.codec;
  }
  if (const Status status = ToArrowSchema(spec.output).status(); !status.ok()) {
    return WithPrefix(status, dump.folder() + "/plan.meta: the operator's output: ");
  }
  const OperatorFactory& make = options.make_operator;
  if (spec.kind == kFragmentKind && !make) {
    ARROW_ASSIGN_OR_RAISE(auto root, MakeFragment(spec, std::move(inputs), context));
    if (drops) root->set_drops_errors(*drops);
    return root;
  }
  if (IsScanKind(spec.kind) && !make) {
    ARROW_ASSIGN_OR_RAISE(auto splits, RecordedSplits(record.output->meta.header.leaf, spec));
    return MakeScan(std::move(spec), std::move(splits), context, nullptr, nullptr);
  }
  ARROW_ASSIGN_OR_RAISE(auto replayed,
                        make ? make(std::move(spec), std::move(inputs), context)
                             : MakeOperator(std::move(spec), std::move(inputs), context));
  if (drops) replayed->set_drops_errors(*drops);
  return replayed;
}

// Rows after which the recorded consumer asked for no more.
int64_t RowsWanted(const PartitionRecord& record) {
  const bool stopped = record.output && record.output->meta.end == StreamEnd::kStopped;
  return stopped ? record.output->meta.passed_rows() : INT64_MAX;
}

// Rows of the reference that there are to compare: a stopped record is a prefix.
int64_t RowsOf(const std::optional<ReferenceRows>& reference) {
  const bool stopped = reference && reference->meta.end == StreamEnd::kStopped;
  return stopped ? reference->meta.rows() : INT64_MAX;
}

// What became of one run.
struct Outcome {
  ReplayRun run;
  StreamDigest all;         // of every row that was emitted
  StreamDigest compared;    // of the first rows that were recorded
  StreamDigest referenced;  // of the first rows that the reference has
  bool ended_with_record = false;
  Status raised;  // by the operator
  Given given;    // until then
};

// Replays one partition, once or several times.
class PartitionRunner {
 public:
  PartitionRunner(const OperatorDump& dump, const PartitionRecord& record,
                  const ReplayOptions& options, const ReplaySession& session)
      : dump_(dump),
        record_(record),
        options_(options),
        session_(session),
        is_fragment_(dump.plan().spec.kind == kFragmentKind && !options.make_operator),
        task_(record, options, session.conf, is_fragment_) {}

  Result<PartitionReplay> Run() {
    PartitionReplay replay;
    replay.partition = record_.partition;
    replay.attempt = record_.attempt;
    RETURN_NOT_OK(Prepare(&replay));
    const std::unique_ptr<FragmentTrace> trace = BeginTrace();
    RETURN_NOT_OK(WarmUp(&replay));
    for (int i = 0; i < options_.repeat && replay.error.empty(); ++i) {
      TraceScope range(task_.context().trace, kRunRange);
      ARROW_ASSIGN_OR_RAISE(const Outcome outcome, RunOnce(i == 0 ? &replay : nullptr, true));
      range.Count(i, outcome.all.rows);
      replay.runs.push_back(outcome.run);
      if (i == 0) replay.memory = task_.memory();
      replay.sites = task_.sites();
      SetError(outcome.raised, &replay);
      if (i == 0) {
        RETURN_NOT_OK(Judge(outcome, &replay));
      } else if (outcome.all != replay.output) {
        replay.unstable = true;
      }
    }
    RETURN_NOT_OK(EndTrace(trace.get()));
    RETURN_NOT_OK(LocateDifferences(&replay));
    return replay;
  }

 private:
  Status Prepare(PartitionReplay* replay) {
    // The comparison needs only the recorded digest; but an output that cannot be looked at is no
    // record.
    if (record_.output) RETURN_NOT_OK(VerifyBatchFiles(*record_.output));
    if (session_.reference != nullptr && !session_.reference->whole()) {
      ARROW_ASSIGN_OR_RAISE(reference_, session_.reference->Rows(record_.partition));
    }
    for (const StreamRecord& input : record_.inputs) {
      replay->input_rows += input.meta.rows();
      replay->input_batches += static_cast<int64_t>(input.meta.batches.size());
      if (options_.repeat + options_.warmup == 1) continue;
      ARROW_ASSIGN_OR_RAISE(auto batches, ReadBatches(input, options_.pool));
      kept_.push_back(std::make_shared<const RecordBatches>(std::move(batches)));
    }
    if (session_.assertion != nullptr) replay->assertion.emplace();
    return Status::OK();
  }

  // Runs whose times are not kept. An error ends the replay, as it would in a timed run.
  Status WarmUp(PartitionReplay* replay) {
    for (int i = 0; i < options_.warmup && replay->error.empty(); ++i) {
      TraceScope range(task_.context().trace, kWarmupRange);
      ARROW_ASSIGN_OR_RAISE(const Outcome outcome, RunOnce(nullptr, false));
      range.Count(i, outcome.all.rows);
      SetError(outcome.raised, replay);
    }
    return Status::OK();
  }

  static void SetError(const Status& raised, PartitionReplay* replay) {
    replay->error = raised.message();
    if (raised.ok()) return;
    replay->raised = RaisedErrorOf(raised);
    if (replay->raised.empty()) replay->raised.text = raised.message();
  }

  Status Judge(const Outcome& outcome, PartitionReplay* replay) {
    replay->output = outcome.all;
    replay->ended_with_record = outcome.ended_with_record;
    // Of masked values another output comes than that of the true ones, which was masked later; so
    // does one of some of the rows.
    replay->input_is_cut = std::ranges::any_of(record_.inputs, [](const StreamRecord& input) {
      return input.meta.end == StreamEnd::kTruncated;
    });
    RETURN_NOT_OK(JudgeFailure(outcome, replay));
    RETURN_NOT_OK(LocateFailure(outcome, replay));
    if (record_.output && !dump_.plan().HasMaskedColumn() && !replay->input_is_cut) {
      replay->comparison = Compare(record_.output->meta, outcome.compared, options_.ordered);
    }
    if (reference_) {
      replay->reference.emplace();
      replay->reference->comparison =
          Compare(reference_->meta, outcome.referenced, options_.ordered);
    }
    return Status::OK();
  }

  // Says whether an attempt that failed fails again.
  Status JudgeFailure(const Outcome& outcome, PartitionReplay* replay) {
    const std::optional<RaisedError> failure = record_.Failure();
    if (!failure) return Status::OK();
    FailedAttempt failed{.error = *failure, .again = CompareFailures(*failure, outcome.raised)};
    failed.must_fail = failure->here == true && !replay->input_is_cut &&
                       !replay->ended_with_record && !dump_.plan().HasMaskedColumn();
    // The first value that cannot be computed need not be the one that somebody used.
    if (failed.again == FailedAgain::kInAnotherWay && failure->here != false) {
      ARROW_ASSIGN_OR_RAISE(const bool found, FailsSomewhere(*failure));
      if (found) failed.again = FailedAgain::kInSameWay;
    }
    replay->failed_attempt = std::move(failed);
    return Status::OK();
  }

  std::shared_ptr<Given> Uncut() const {
    auto given = std::make_shared<Given>();
    given->batches.resize(record_.inputs.size());
    return given;
  }

  // Says in which row the operator fails: the last of the fewest that it must be given to fail so.
  Status LocateFailure(const Outcome& outcome, PartitionReplay* replay) {
    const Given& until = outcome.given;
    if (outcome.raised.ok() || !IsOfRow(outcome.raised) || until.input < 0) return Status::OK();
    if (!options_.locates_failures) return Status::OK();
    const int64_t batch = until.batches[static_cast<size_t>(until.input)] - 1;
    FailingPlace place{.input = until.input, .batch = batch};
    const StreamRecord& input = record_.inputs[static_cast<size_t>(until.input)];
    Given cut = *Uncut();
    cut.cut_input = until.input;
    cut.last = batch;
    cut.rows = input.meta.batches[static_cast<size_t>(batch)].rows;
    // What keeps nothing of the batches before needs none of them.
    cut.first = batch;
    ARROW_ASSIGN_OR_RAISE(bool fails, FailsSo(outcome.raised, cut));
    if (!fails && batch <= kBatchesToRepeat) {
      cut.first = 0;
      ARROW_ASSIGN_OR_RAISE(fails, FailsSo(outcome.raised, cut));
    }
    if (fails) RETURN_NOT_OK(LocateRow(outcome.raised, cut, &place));
    replay->failing_place = std::move(place);
    return Status::OK();
  }

  Status LocateRow(const Status& raised, Given cut, FailingPlace* place) {
    int64_t passing = 0;
    int64_t failing = cut.rows;
    while (failing - passing > 1) {
      cut.rows = passing + (failing - passing) / 2;
      ARROW_ASSIGN_OR_RAISE(const bool fails, FailsSo(raised, cut));
      (fails ? failing : passing) = cut.rows;
    }
    place->row = failing - 1;
    StreamRecord one = record_.inputs[static_cast<size_t>(place->input)];
    one.meta.batches = {one.meta.batches[static_cast<size_t>(place->batch)]};
    ARROW_ASSIGN_OR_RAISE(const auto batch, BatchReader(one, options_.pool).Next());
    place->expression =
        FailingExpression(dump_.plan().spec, ToBatch(batch->Slice(*place->row, 1)), raised);
    return Status::OK();
  }

  // Whether the operator raises the same where it is given so much.
  Result<bool> FailsSo(const Status& raised, const Given& cut) {
    Status unreadable;
    ARROW_ASSIGN_OR_RAISE(
        const auto replayed,
        MakeReplayed(dump_, record_, options_, session_.conf, kept_, task_.context(),
                     DropsFor(record_), &unreadable, std::make_shared<Given>(cut)));
    while (true) {
      const auto next = replayed->Next();
      RETURN_NOT_OK(unreadable);
      if (!next.ok()) return next.status().message() == raised.message();
      if (!next->has_value()) return false;
    }
  }

  // Whether any value fails as `failure` does, be it the first one or not.
  Result<bool> FailsSomewhere(const RaisedError& failure) {
    bool found = false;
    const DroppedErrors drops = [&](const Status& dropped) {
      found = found || failure.IsAs(RaisedErrorOf(dropped));
    };
    Status unreadable;
    ARROW_ASSIGN_OR_RAISE(const auto replayed,
                          MakeReplayed(dump_, record_, options_, session_.conf, kept_,
                                       task_.context(), drops, &unreadable));
    while (!found) {
      const auto next = replayed->Next();
      RETURN_NOT_OK(unreadable);
      if (!next.ok() || !next->has_value()) break;
    }
    return found;
  }

  std::unique_ptr<FragmentTrace> BeginTrace() {
    if (session_.trace == nullptr) return nullptr;
    const TaskContext& context = task_.context();
    auto trace = std::make_unique<FragmentTrace>(
        session_.trace, TraceTask{context.stage, context.partition, context.attempt, INT64_MAX});
    task_.context().trace = trace->recorder();
    return trace;
  }

  Status EndTrace(FragmentTrace* trace) {
    task_.context().trace = nullptr;
    return trace == nullptr ? Status::OK() : trace->End();
  }

  // `replay` is null where the run is neither written nor asserted.
  Result<Outcome> RunOnce(PartitionReplay* replay, bool is_timed) {
    Status unreadable;
    const std::shared_ptr<Given> given = Uncut();
    ARROW_ASSIGN_OR_RAISE(const auto replayed,
                          MakeReplayed(dump_, record_, options_, session_.conf, kept_,
                                       task_.context(), DropsFor(record_), &unreadable, given));
    const int64_t rows_wanted = RowsWanted(record_);
    const int column_count = static_cast<int>(dump_.plan().spec.output.size());
    Digester all(column_count);
    Digester compared(column_count);
    Digester referenced(column_count);
    Outcome outcome;
    std::optional<FragmentWatch> watch;
    if (is_fragment_ && replay != nullptr) watch.emplace(*replayed, options_.pool);
    if (options_.under_debugger) RETURN_NOT_OK(TellDebugger(*replayed));
    const int64_t start = MonotonicNs();
    while (all.digest().rows < rows_wanted) {
      if (is_timed) Observe(true);
      auto next = replayed->Next();
      if (is_timed) Observe(false);
      if (!next.ok()) {
        RETURN_NOT_OK(unreadable);
        outcome.ended_with_record = IsRecordEnd(next.status());
        if (!outcome.ended_with_record) {
          outcome.raised = next.status();
          outcome.given = *given;
        }
        break;
      }
      if (!next->has_value()) break;
      const Batch& batch = **next;
      const int64_t rows = all.digest().rows;
      RETURN_NOT_OK(compared.Update(batch, rows_wanted - rows));
      if (reference_)
        RETURN_NOT_OK(referenced.Update(batch, std::max<int64_t>(RowsOf(reference_) - rows, 0)));
      RETURN_NOT_OK(all.Update(batch));
      if (replay != nullptr) RETURN_NOT_OK(Keep(batch, replay));
      if (session_.on_batch) session_.on_batch();
      if (options_.go_on) RETURN_NOT_OK(options_.go_on());
    }
    outcome.run = {is_fragment_ ? OwnTimeOfFragment(*replayed) : replayed->metrics().own_time_ns,
                   MonotonicNs() - start};
    if (watch) replay->operators = watch->Figures(task_.task_memory());
    outcome.all = all.digest();
    outcome.compared = compared.digest();
    outcome.referenced = referenced.digest();
    return outcome;
  }

  Status TellDebugger(Operator& replayed) const {
    Operator* const stops_at =
        options_.break_at == 0 ? &replayed : FindOperator(replayed, options_.break_at);
    if (stops_at == nullptr) {
      return Status::Invalid("--break ", options_.break_at, ": ", dump_.folder(),
                             " has no operator with this LORE id");
    }
    TellDebuggerOfStart(*stops_at, record_.partition, record_.attempt);
    return Status::OK();
  }

  // Samples and counts while the operator computes, not what the replay does with its rows.
  void Observe(bool on) const {
    if (session_.profile != nullptr) session_.profile->Sample(on);
    if (session_.counters != nullptr) session_.counters->Count(on);
  }

  // Writes and asserts a batch of the first timed run.
  Status Keep(const Batch& batch, PartitionReplay* replay) const {
    if (session_.assertion != nullptr) {
      RETURN_NOT_OK(session_.assertion->Check(batch, options_.pool, &*replay->assertion));
    }
    const bool is_compared = session_.all_output != nullptr;
    if (session_.out == nullptr && !options_.take_output && !is_compared) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const auto records, ToRecordBatch(batch, options_.pool));
    if (is_compared) {
      ARROW_ASSIGN_OR_RAISE(const auto rows, session_.reference->Comparable(records));
      RETURN_NOT_OK(session_.all_output->Update(ToBatch(rows)));
    }
    if (options_.take_output) RETURN_NOT_OK(options_.take_output(records));
    if (session_.out == nullptr) return Status::OK();
    return WithPrefix(session_.out->Write(*records), options_.out_path + ": ");
  }

  // Runs the operator once more beside the rows that its output differs from.
  Status LocateDifferences(PartitionReplay* replay) const {
    if (!replay->error.empty()) return Status::OK();
    const auto emitted = [&] { return EmittedRows(dump_, record_, options_, session_); };
    if (!replay->comparison.holds() && !record_.output->meta.digest_only) {
      ARROW_ASSIGN_OR_RAISE(replay->first_difference,
                            FindFirstDifference(Streaming(*record_.output, options_.pool),
                                                emitted(), RowsWanted(record_), options_.pool));
    }
    if (reference_ && !replay->reference->comparison.holds()) {
      ARROW_ASSIGN_OR_RAISE(const BatchSource rows, reference_->open());
      ARROW_ASSIGN_OR_RAISE(
          replay->reference->first_difference,
          FindFirstDifference(rows, emitted(), RowsOf(reference_), options_.pool));
    }
    return Status::OK();
  }

  const OperatorDump& dump_;
  const PartitionRecord& record_;
  const ReplayOptions& options_;
  const ReplaySession& session_;
  const bool is_fragment_;
  ReplayTask task_;
  std::optional<ReferenceRows> reference_;
  std::vector<std::shared_ptr<const RecordBatches>>
      kept_;  // of each input; empty where they are streamed
};

}  // namespace

Result<PartitionReplay> ReplayPartition(const OperatorDump& dump, const PartitionRecord& record,
                                        const ReplayOptions& options,
                                        const ReplaySession& session) {
  return PartitionRunner(dump, record, options, session).Run();
}

BatchSource EmittedRows(const OperatorDump& dump, const PartitionRecord& record,
                        const ReplayOptions& options, const ReplaySession& session) {
  struct Replayed {
    ReplayTask task;
    Status unreadable;
    std::unique_ptr<Operator> root;
  };
  auto replayed = std::make_shared<Replayed>(
      Replayed{ReplayTask(record, options, session.conf), Status::OK(), nullptr});
  return [&dump, &record, &options, &session,
          replayed]() -> Result<std::shared_ptr<arrow::RecordBatch>> {
    if (replayed->root == nullptr) {
      ARROW_ASSIGN_OR_RAISE(replayed->root, MakeReplayed(dump, record, options, session.conf, {},
                                                         replayed->task.context(), DropsFor(record),
                                                         &replayed->unreadable));
    }
    auto next = replayed->root->Next();
    if (!next.ok())
      return IsRecordEnd(next.status())
                 ? nullptr
                 : Result<std::shared_ptr<arrow::RecordBatch>>(next.status());
    if (!next->has_value()) return nullptr;
    return ToRecordBatch(**next, options.pool);
  };
}

}  // namespace reprise
