#include "replay/fragment_figures.h"

#include <arrow/record_batch.h>
#include <arrow/scalar.h>
#include <fmt/format.h>

#include <algorithm>

namespace reprise {

namespace {

// What feeds a fragment is no part of it.
bool IsLeaf(const Operator& op) { return op.inputs().empty() && op.spec().lore_id == 0; }

class SampleCapture : public Capture {
 public:
  SampleCapture(RowSample sample, arrow::MemoryPool* pool)
      : sample_(std::move(sample)), pool_(pool) {}

  bool needs_all() const override { return false; }
  Status OnInput(int, const Batch&) override { return Status::OK(); }
  Status OnInputEnd(int) override { return Status::OK(); }
  Status OnOutput(const Batch& batch) override {
    if (std::ssize(*sample_) >= OperatorFigures::kRowsKept || batch.row_count == 0) {
      return Status::OK();
    }
    ARROW_ASSIGN_OR_RAISE(const auto records, ToRecordBatch(batch, pool_));
    for (int64_t row = 0; row < records->num_rows(); ++row) {
      if (std::ssize(*sample_) >= OperatorFigures::kRowsKept) break;
      sample_->push_back(RowText(*records, row));
    }
    return Status::OK();
  }
  Status OnOutputEnd() override { return Status::OK(); }
  void OnFailure(const FailureOfTask&) override {}
  Status Finish(CaptureEnd) override { return Status::OK(); }

 private:
  RowSample sample_;
  arrow::MemoryPool* pool_;
};

using Peaks = std::map<std::string, int64_t>;  // of memory, by user

void Collect(const Operator& op, int depth, const Peaks& peaks,
             std::vector<OperatorFigures>* figures) {
  if (IsLeaf(op)) return;
  const auto peak = peaks.find(op.MemoryName());
  const OperatorMetrics& metrics = op.metrics();
  figures->push_back({.lore_id = op.spec().lore_id,
                      .name = op.spec().name,
                      .depth = depth,
                      .rows = metrics.output_rows,
                      .batches = metrics.output_batches,
                      .bytes = metrics.output_bytes,
                      .own_time_ns = metrics.own_time_ns,
                      .spilled_bytes = metrics.spilled_disk_bytes,
                      .peak_bytes = peak == peaks.end() ? 0 : peak->second});
  for (const auto& input : op.inputs()) Collect(*input, depth + 1, peaks, figures);
}

}  // namespace

void FragmentWatch::Watch(Operator& op, arrow::MemoryPool* pool) {
  if (IsLeaf(op)) return;
  samples_.push_back(std::make_shared<std::vector<std::string>>());
  op.set_capture(std::make_unique<SampleCapture>(samples_.back(), pool));
  for (const auto& input : op.inputs()) Watch(*input, pool);
}

std::vector<OperatorFigures> FragmentWatch::Figures(const TaskMemory* memory) const {
  std::vector<OperatorFigures> figures;
  Collect(root_, 0, memory == nullptr ? Peaks() : memory->PeaksByUser(), &figures);
  for (size_t i = 0; i < figures.size(); ++i) figures[i].first_rows = *samples_[i];
  return figures;
}

int64_t OwnTimeOfFragment(const Operator& root) {
  std::vector<OperatorFigures> figures;
  Collect(root, 0, {}, &figures);
  int64_t time = 0;
  for (const OperatorFigures& one : figures) time += one.own_time_ns;
  return time;
}

Operator* FindOperator(Operator& root, int64_t lore_id) {
  if (root.spec().lore_id == lore_id) return &root;
  for (const auto& input : root.inputs()) {
    if (Operator* found = FindOperator(*input, lore_id)) return found;
  }
  return nullptr;
}

std::string RowText(const arrow::RecordBatch& batch, int64_t row) {
  std::string text;
  for (int i = 0; i < batch.num_columns(); ++i) {
    const auto value = batch.column(i)->GetScalar(row);
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", batch.column_name(i),
                        !value.ok()          ? value.status().message()
                        : (*value)->is_valid ? (*value)->ToString()
                                             : "null");
  }
  return text;
}

}  // namespace reprise
