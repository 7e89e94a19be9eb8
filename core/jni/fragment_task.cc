#include "jni/fragment_task.h"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "dump/capture_writer.h"
#include "jni/file_splits.h"
#include "operators/fragment.h"
#include "operators/parquet_scan.h"
#include "plan/metrics.h"
#include "transitions/row_input.h"

namespace reprise {

namespace {

constexpr int64_t kRowsBytesMax = int64_t{1} << 30;

}  // namespace

FragmentTask::FragmentTask(TaskDescription task)
    : task_(std::move(task)),
      pool_(std::make_unique<arrow::ProxyMemoryPool>(arrow::default_memory_pool())) {
  context_.pool = pool_.get();
  context_.batch_rows_target = task_.batch_rows;
  context_.stage = task_.stage;
  context_.partition = task_.partition;
  context_.attempt = task_.attempt;
}

FragmentTask::~FragmentTask() { (void)Close(/*failed=*/true); }

Result<std::unique_ptr<FragmentTask>> FragmentTask::Open(
    std::string_view fragment_json, std::string_view task_json,
    std::vector<std::unique_ptr<RowSource>> rows, std::function<bool()> cancelled) {
  ARROW_ASSIGN_OR_RAISE(TaskDescription description, ParseTask(task_json));
  std::unique_ptr<FragmentTask> task(new FragmentTask(std::move(description)));
  task->context_.cancelled = std::move(cancelled);
  RETURN_NOT_OK(task->Build(fragment_json, std::move(rows)));
  return task;
}

Status FragmentTask::Build(std::string_view fragment_json,
                           std::vector<std::unique_ptr<RowSource>> rows) {
  const auto fragment = nlohmann::json::parse(fragment_json, nullptr, /*allow_exceptions=*/false);
  if (fragment.is_discarded()) return Status::Invalid("fragment: malformed JSON");
  const LeafFactory leaf = [&](int number, OperatorSpec spec) {
    return MakeLeaf(number, std::move(spec), rows);
  };
  const CaptureFactory capture = [&](const OperatorSpec& spec, const nlohmann::json& request) {
    return MakeDumpCapture(spec, request, context_);
  };
  ARROW_ASSIGN_OR_RAISE(root_, BuildFragment(fragment, context_, leaf, capture));
  operators_ = OperatorsOf(*root_);
  for (const Operator* op : operators_) {
    metric_count_ += static_cast<int64_t>(MetricsOfKind(op->spec().kind).size());
  }
  ARROW_ASSIGN_OR_RAISE(encoder_, UnsafeRowEncoder::Make(root_->spec().output, pool_.get()));
  return Status::OK();
}

Result<std::unique_ptr<Operator>> FragmentTask::MakeLeaf(
    int leaf, OperatorSpec spec, std::vector<std::unique_ptr<RowSource>>& rows) {
  if (leaf >= static_cast<int>(task_.leaves.size())) {
    return Status::Invalid(ErrorPrefix(spec), "reads leaf ", leaf, ", but the task has ",
                           task_.leaves.size());
  }
  const TaskLeaf& input = task_.leaves[leaf];
  // The rules offer two kinds of leaves: rows of an RDD and Parquet files.
  if (spec.kind != (input.is_rows ? "row_input" : "parquet_scan")) {
    return Status::Invalid(ErrorPrefix(spec), "is of kind ", spec.kind, ", but leaf ", leaf,
                           " of the task is ", input.is_rows ? "rows" : "files");
  }
  if (input.is_rows) {
    if (input.row_source >= static_cast<int>(rows.size()) || !rows[input.row_source]) {
      return Status::Invalid(ErrorPrefix(spec), "row source ", input.row_source, " of leaf ", leaf,
                             " is missing or used twice; the task has ", rows.size());
    }
    return MakeRowInput(std::move(spec), std::move(rows[input.row_source]), context_);
  }
  auto splits = FileSplitsOf(input, spec);
  if (!splits.ok()) return WithPrefix(splits.status(), ErrorPrefix(spec));
  return MakeParquetScan(std::move(spec), std::move(*splits), context_);
}

Result<std::optional<Batch>> FragmentTask::Next() {
  while (pieces_.empty()) {
    auto batch = root_->Next();
    failed_ |= !batch.ok();
    if (!batch.ok() || !batch->has_value()) return batch;
    if ((*batch)->selected_count() == 0) continue;
    const auto pieces = SplitForRows(*encoder_, **batch, kRowsBytesMax);
    pieces_.assign(pieces.begin(), pieces.end());
  }
  std::optional<Batch> piece(std::move(pieces_.front()));
  pieces_.pop_front();
  return piece;
}

Result<EncodedRows> FragmentTask::ToRows(const Batch& batch) {
  auto rows = encoder_->Encode(batch);
  failed_ |= !rows.ok();
  return rows;
}

void FragmentTask::Metrics(std::span<int64_t> out) const {
  REPRISE_CHECK(static_cast<int64_t>(out.size()) == metric_count_, "{} elements for {} metrics",
                out.size(), metric_count_);
  size_t next = 0;
  for (const Operator* op : operators_) {
    const OperatorMetrics& metrics = op->metrics();
    out[next++] = metrics.output_rows;
    out[next++] = metrics.output_batches;
    out[next++] = metrics.output_bytes;
    out[next++] = metrics.own_time_ns;
    // An operator may make its own figures only once it has something to count.
    const size_t extra_count = ExtraMetrics(op->spec().kind).size();
    for (size_t i = 0; i < extra_count; ++i) {
      out[next++] = i < metrics.extra.size() ? metrics.extra[i] : 0;
    }
  }
}

Status FragmentTask::Close(bool failed) {
  if (closed_) return Status::OK();
  closed_ = true;
  Status status;
  if (root_) status = root_->Finish(failed || failed_);
  pieces_.clear();
  encoder_.reset();
  operators_.clear();
  metric_count_ = 0;
  root_.reset();
  const Status memory = CheckMemory();
  return status.ok() ? memory : status;
}

// Whoever still holds the memory will give it back to the pool: the pool must outlive its task.
static void KeepForEver(std::unique_ptr<arrow::ProxyMemoryPool> pool) {
  static std::mutex mutex;
  static auto* const kept = new std::vector<std::unique_ptr<arrow::ProxyMemoryPool>>();
  const std::lock_guard lock(mutex);
  kept->push_back(std::move(pool));
}

Status FragmentTask::CheckMemory() {
  const int64_t bytes = pool_->bytes_allocated();
  if (bytes == 0) return Status::OK();
  KeepForEver(std::move(pool_));
  const std::string message = fmt::format(
      "stage {}, partition {}, attempt {}: {} bytes were not given back at the end of the fragment",
      task_.stage, task_.partition, task_.attempt, bytes);
  if (task_.memory_debug) return Status::Invalid(message);
  fmt::print(stderr, "reprise: {}\n", message);
  return Status::OK();
}

}  // namespace reprise
