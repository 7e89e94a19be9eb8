#include "operators/sorted_runs.h"

#include <algorithm>

namespace reprise {

void RunMerger::Add(std::unique_ptr<SpillFile> file) {
  runs_.push_back(std::make_unique<Run>(std::move(file), pool_));
}

// The run's next batch, or none.
Status RunMerger::Advance(Run* run) {
  run->position = 0;
  run->slot = -1;
  do {
    ARROW_ASSIGN_OR_RAISE(run->batch, run->reader->Next());
  } while (run->batch && run->batch->selected_count() == 0);
  run->keyed.Clear(/*release=*/!run->batch);
  if (!run->batch) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(run->batch, Compacted(*run->batch, pool_));
  return keys_->Append(*run->batch, 0, pool_, &run->keyed);
}

bool RunMerger::IsAfter(int32_t left, int32_t right) const {
  const Run& a = *runs_[left];
  const Run& b = *runs_[right];
  const int compared = KeyedRows::Compare(a.keyed, a.keyed.items()[a.position], b.keyed,
                                          b.keyed.items()[b.position]);
  return compared != 0 ? compared > 0 : left > right;
}

Status RunMerger::Start() {
  is_started_ = true;
  for (size_t i = 0; i < runs_.size(); ++i) {
    RETURN_NOT_OK(Advance(runs_[i].get()));
    if (runs_[i]->batch) heap_.push_back(static_cast<int32_t>(i));
  }
  std::make_heap(heap_.begin(), heap_.end(),
                 [this](int32_t a, int32_t b) { return IsAfter(a, b); });
  return Status::OK();
}

Result<std::optional<Batch>> RunMerger::Next(int64_t rows_max) {
  if (!is_started_) RETURN_NOT_OK(Start());
  const auto after = [this](int32_t a, int32_t b) { return IsAfter(a, b); };
  std::vector<Batch> batches;
  std::vector<RowOfBatch> rows;
  for (const auto& run : runs_) run->slot = -1;
  while (!heap_.empty() && static_cast<int64_t>(rows.size()) < rows_max) {
    std::pop_heap(heap_.begin(), heap_.end(), after);
    Run& run = *runs_[heap_.back()];
    if (run.slot < 0) {
      run.slot = static_cast<int32_t>(batches.size());
      batches.push_back(*run.batch);
    }
    rows.push_back({run.slot, static_cast<int32_t>(run.position)});
    if (++run.position == run.batch->row_count) RETURN_NOT_OK(Advance(&run));
    if (run.batch) {
      std::push_heap(heap_.begin(), heap_.end(), after);
    } else {
      heap_.pop_back();
    }
  }
  if (rows.empty()) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(Batch merged, Interleave(batches, rows, schema_, pool_));
  return merged;
}

}  // namespace reprise
