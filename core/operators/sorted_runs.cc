#include "operators/sorted_runs.h"

#include <algorithm>

namespace reprise {

namespace {

constexpr size_t kRunsAtOnce = 16;
// Of a batch in a run: a merge holds each as it is stored and decoded, and its keys.
constexpr BatchBounds kRunBatch{2048, int64_t{64} << 10};
constexpr BatchBounds kMerged{4096, int64_t{1} << 20};

}  // namespace

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
  run->widths = RowWidths(run->batch->columns);
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

Result<std::optional<Batch>> RunMerger::Next(const BatchBounds& bounds) {
  if (!is_started_) RETURN_NOT_OK(Start());
  const auto after = [this](int32_t a, int32_t b) { return IsAfter(a, b); };
  BatchPile batches(schema_);
  std::vector<RowOfBatch> rows;
  int64_t bytes = 0;
  for (const auto& run : runs_) run->slot = -1;
  while (!heap_.empty() && static_cast<int64_t>(rows.size()) < bounds.rows) {
    Run& run = *runs_[heap_.front()];
    bytes += run.widths[run.position];
    if (bytes > bounds.bytes && !rows.empty()) break;
    std::pop_heap(heap_.begin(), heap_.end(), after);
    if (run.slot < 0) {
      run.slot = batches.size();
      batches.Add(*run.batch);
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
  ARROW_ASSIGN_OR_RAISE(Batch merged, batches.Take(rows, pool_));
  return merged;
}

Status SortedRuns::Write(const Batch& rows, std::unique_ptr<SpillFile>* file) const {
  if (rows.row_count == 0) return Status::OK();
  if (!*file) {
    ARROW_ASSIGN_OR_RAISE(*file, place_.MakeFile(schema_));
  }
  const int64_t before = (*file)->bytes();
  BatchCutter cutter;
  cutter.Start(rows);
  while (cutter.has_more()) {
    ARROW_ASSIGN_OR_RAISE(const Batch piece, cutter.Next(kRunBatch, place_.context.pool));
    RETURN_NOT_OK((*file)->Write(piece));
  }
  place_.count_spilled((*file)->bytes() - before);
  return Status::OK();
}

void SortedRuns::Add(std::unique_ptr<SpillFile> run) {
  has_runs_ = true;
  run->EndWriting();
  if (levels_.empty()) levels_.emplace_back();
  levels_[0].push_back(std::move(run));
}

Status SortedRuns::MergeMany() {
  for (size_t level = 0; level < levels_.size() && levels_[level].size() >= kRunsAtOnce; ++level) {
    RETURN_NOT_OK(MergeLevel(level));
  }
  return Status::OK();
}

Status SortedRuns::MergeLevel(size_t level) {
  RunMerger merger(keys_, schema_, place_.context.pool);
  for (auto& file : levels_[level]) merger.Add(std::move(file));
  levels_[level].clear();
  std::unique_ptr<SpillFile> merged;
  while (true) {
    if (place_.context.cancelled && place_.context.cancelled()) {
      return Status::Cancelled("the task was cancelled");
    }
    ARROW_ASSIGN_OR_RAISE(const auto batch, merger.Next(kMerged));
    if (!batch) break;
    RETURN_NOT_OK(Write(*batch, &merged));
  }
  if (level + 1 == levels_.size()) levels_.emplace_back();
  merged->EndWriting();
  levels_[level + 1].push_back(std::move(merged));
  return Status::OK();
}

Result<std::optional<Batch>> SortedRuns::Next(const BatchBounds& bounds) {
  if (!merger_) {
    RETURN_NOT_OK(MergeMany());
    merger_ = std::make_unique<RunMerger>(keys_, schema_, place_.context.pool);
    // The runs that were merged most are the earliest.
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      for (auto& file : *level) merger_->Add(std::move(file));
    }
    levels_.clear();
  }
  return merger_->Next(bounds);
}

}  // namespace reprise
