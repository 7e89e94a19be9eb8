#include "replay/partition_replay.h"

#include <chrono>

#include "base/fragment_trace.h"
#include "dump/dump_input.h"
#include "operators/registry.h"

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
                  const ReplayOptions& options, const ReplayOutputs& outputs)
      : dump_(dump), record_(record), options_(options), outputs_(outputs) {
    context_.pool = options.pool;
    context_.partition = record.partition;
    context_.attempt = record.attempt;
    if (!record.inputs.empty()) {
      context_.stage = record.inputs[0].meta.header.stage;
      context_.batch_rows_target = record.inputs[0].meta.header.batch_rows;
    }
  }

  Result<PartitionReplay> Run() {
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
      ARROW_ASSIGN_OR_RAISE(const Outcome outcome, RunOnce(i == 0 ? outputs_.rows : nullptr));
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
    if (outputs_.trace == nullptr) return nullptr;
    auto trace = std::make_unique<FragmentTrace>(
        outputs_.trace, TraceTask{context_.stage, context_.partition, context_.attempt, INT64_MAX});
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
      if (outputs_.on_batch) outputs_.on_batch();
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
  const ReplayOutputs& outputs_;
  TaskContext context_;
  std::vector<std::shared_ptr<const Batches>>
      kept_;  // of each input; empty where they are streamed
};

}  // namespace

Result<PartitionReplay> ReplayPartition(const OperatorDump& dump, const PartitionRecord& record,
                                        const ReplayOptions& options,
                                        const ReplayOutputs& outputs) {
  return PartitionRunner(dump, record, options, outputs).Run();
}

}  // namespace reprise
