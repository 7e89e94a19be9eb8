#include "replay/replay.h"

#include <algorithm>
#include <chrono>

#include "base/fragment_trace.h"
#include "dump/dump_input.h"
#include "operators/registry.h"
#include "replay/output_file.h"

namespace reprise {

namespace {

int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

constexpr TraceRange kRunRange = {"run", "replay", {"run", "rows"}};

using Batches = std::vector<std::shared_ptr<arrow::RecordBatch>>;

// Reads the batches as the operator asks for them.
BatchSource Streaming(const StreamRecord& record, arrow::MemoryPool* pool) {
  auto reader = std::make_shared<BatchReader>(record, pool);
  return [reader] { return reader->Next(); };
}

BatchSource Kept(const std::shared_ptr<const Batches>& batches) {
  return [batches, next = size_t{0}]() mutable -> Result<std::shared_ptr<arrow::RecordBatch>> {
    return next < batches->size() ? (*batches)[next++] : nullptr;
  };
}

Result<std::shared_ptr<const Batches>> ReadAll(const StreamRecord& record,
                                               arrow::MemoryPool* pool) {
  BatchReader reader(record, pool);
  auto batches = std::make_shared<Batches>();
  while (true) {
    ARROW_ASSIGN_OR_RAISE(auto batch, reader.Next());
    if (batch == nullptr) return batches;
    batches->push_back(std::move(batch));
  }
}

// What became of one run.
struct Outcome {
  ReplayRun run;
  StreamDigest all;       // of every row that was emitted
  StreamDigest compared;  // of the first rows that were recorded
  bool ended_with_record = false;
  std::string error;
};

// Replays one partition, once or several times.
class PartitionRunner {
 public:
  PartitionRunner(const OperatorDump& dump, const PartitionRecord& record,
                  const ReplayOptions& options, std::shared_ptr<TraceFile> trace,
                  std::function<void()> on_batch)
      : dump_(dump),
        record_(record),
        options_(options),
        trace_(std::move(trace)),
        on_batch_(std::move(on_batch)) {
    context_.pool = options.pool;
    context_.partition = record.partition;
    context_.attempt = record.attempt;
    if (!record.inputs.empty()) {
      context_.stage = record.inputs[0].meta.header.stage;
      context_.batch_rows_target = record.inputs[0].meta.header.batch_rows;
    }
  }

  Result<PartitionReplay> Run(OutputFile* out) {
    PartitionReplay replay;
    replay.partition = record_.partition;
    replay.attempt = record_.attempt;
    // The comparison needs only the recorded digest; but an output that cannot be looked at is no
    // record.
    if (record_.output) RETURN_NOT_OK(VerifyBatchFiles(*record_.output));
    for (const StreamRecord& input : record_.inputs) {
      replay.input_rows += input.meta.rows();
      replay.input_batches += static_cast<int64_t>(input.meta.batches.size());
      if (options_.repeat == 1) continue;
      ARROW_ASSIGN_OR_RAISE(auto batches, ReadAll(input, options_.pool));
      kept_.push_back(std::move(batches));
    }
    const std::unique_ptr<FragmentTrace> trace = BeginTrace();
    for (int i = 0; i < options_.repeat && replay.error.empty(); ++i) {
      TraceScope range(context_.trace, kRunRange);
      ARROW_ASSIGN_OR_RAISE(const Outcome outcome, RunOnce(i == 0 ? out : nullptr));
      range.Count(i, outcome.all.rows);
      replay.runs.push_back(outcome.run);
      replay.error = outcome.error;
      if (i == 0) {
        replay.output = outcome.all;
        replay.ended_with_record = outcome.ended_with_record;
        if (record_.output) {
          replay.comparison = Compare(record_.output->meta, outcome.compared);
        }
      } else if (outcome.all != replay.output) {
        replay.unstable = true;
      }
    }
    RETURN_NOT_OK(EndTrace(trace.get()));
    if (replay.error.empty() && replay.comparison.verdict == Verdict::kDifferent) {
      ARROW_ASSIGN_OR_RAISE(replay.first_difference, LocateDifference());
    }
    return replay;
  }

 private:
  std::unique_ptr<FragmentTrace> BeginTrace() {
    if (trace_ == nullptr) return nullptr;
    auto trace = std::make_unique<FragmentTrace>(
        trace_, TraceTask{context_.stage, context_.partition, context_.attempt, INT64_MAX});
    context_.trace = trace->recorder();
    return trace;
  }

  Status EndTrace(FragmentTrace* trace) {
    context_.trace = nullptr;
    return trace == nullptr ? Status::OK() : trace->End();
  }

  // `unreadable` receives the error of a batch that cannot be read, to tell it from the operator's
  // own errors.
  Result<std::unique_ptr<Operator>> Make(Status* unreadable) const {
    std::vector<std::unique_ptr<Operator>> inputs;
    for (size_t i = 0; i < record_.inputs.size(); ++i) {
      const StreamRecord& input = record_.inputs[i];
      const BatchSource source = kept_.empty() ? Streaming(input, options_.pool) : Kept(kept_[i]);
      const auto watched = [source, unreadable] {
        auto batch = source();
        *unreadable &= batch.status();
        return batch;
      };
      inputs.push_back(MakeDumpInput(StreamName(static_cast<int>(i)), input.rdd->schema, watched,
                                     input.meta.end == StreamEnd::kExhausted, context_));
    }
    const OperatorFactory& make = options_.make_operator;
    return make ? make(dump_.plan().spec, std::move(inputs), context_)
                : MakeOperator(dump_.plan().spec, std::move(inputs), context_);
  }

  // Rows after which the recorded consumer asked for no more.
  int64_t RowsWanted() const {
    const bool stopped = record_.output && record_.output->meta.end == StreamEnd::kStopped;
    return stopped ? record_.output->meta.rows() : INT64_MAX;
  }

  Result<Outcome> RunOnce(OutputFile* out) const {
    Status unreadable;
    ARROW_ASSIGN_OR_RAISE(const auto replayed, Make(&unreadable));
    const int64_t rows_wanted = RowsWanted();
    const int column_count = static_cast<int>(dump_.plan().spec.output.size());
    Digester all(column_count);
    Digester compared(column_count);
    Outcome outcome;
    const int64_t start = NowNs();
    while (all.digest().rows < rows_wanted) {
      auto next = replayed->Next();
      if (!next.ok()) {
        RETURN_NOT_OK(unreadable);
        outcome.ended_with_record = IsRecordEnd(next.status());
        if (!outcome.ended_with_record) outcome.error = next.status().message();
        break;
      }
      if (!next->has_value()) break;
      const Batch& batch = **next;
      const int64_t rows_left = rows_wanted - all.digest().rows;
      RETURN_NOT_OK(compared.Update(batch, rows_left));
      RETURN_NOT_OK(all.Update(batch));
      RETURN_NOT_OK(WriteTo(out, batch));
      if (on_batch_) on_batch_();
    }
    outcome.run = {replayed->metrics().own_time_ns, NowNs() - start};
    outcome.all = all.digest();
    outcome.compared = compared.digest();
    return outcome;
  }

  // Runs the operator once more, beside the recorded output.
  Result<std::optional<FirstDifference>> LocateDifference() const {
    Status unreadable;
    ARROW_ASSIGN_OR_RAISE(const auto replayed, Make(&unreadable));
    const BatchSource emitted = [&]() -> Result<std::shared_ptr<arrow::RecordBatch>> {
      auto next = replayed->Next();
      if (!next.ok()) {
        if (IsRecordEnd(next.status())) return nullptr;
        return next.status();
      }
      if (!next->has_value()) return nullptr;
      return ToRecordBatch(**next, options_.pool);
    };
    return FindFirstDifference(Streaming(*record_.output, options_.pool), emitted, RowsWanted(),
                               options_.pool);
  }

  Status WriteTo(OutputFile* out, const Batch& batch) const {
    if (out == nullptr) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const auto records, ToRecordBatch(batch, options_.pool));
    const Status written = out->Write(*records);
    return WithPrefix(written, options_.out_path + ": ");
  }

  const OperatorDump& dump_;
  const PartitionRecord& record_;
  const ReplayOptions& options_;
  const std::shared_ptr<TraceFile> trace_;  // null: nothing is traced
  std::function<void()> on_batch_;
  TaskContext context_;
  std::vector<std::shared_ptr<const Batches>>
      kept_;  // of each input; empty where they are streamed
};

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
    PartitionRunner runner(dump, record, options, trace, tell);
    ARROW_ASSIGN_OR_RAISE(PartitionReplay replay, runner.Run(out.get()));
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
