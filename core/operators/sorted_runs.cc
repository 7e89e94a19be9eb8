#include "operators/sorted_runs.h"

namespace reprise {

namespace {

constexpr size_t kRunsAtOnce = 16;
// Of a batch in a run: a merge holds each as it is stored and decoded, and its keys.
constexpr BatchBounds kRunBatch{2048, int64_t{64} << 10};
constexpr BatchBounds kMerged{4096, int64_t{1} << 20};

}  // namespace

void RunMerger::Add(std::unique_ptr<SpillFile> file) {
  runs_.Add(std::make_unique<Run>(std::move(file), pool_));
}

Result<std::optional<Batch>> RunMerger::Next(const BatchBounds& bounds) {
  const auto compare = [](const Run& a, const Run& b) {
    return KeyedRows::Compare(a.keyed, a.keyed.items()[a.position], b.keyed,
                              b.keyed.items()[b.position]);
  };
  return runs_.Next(bounds, compare, [this](Run* run) {
    run->keyed.Clear(/*release=*/!run->batch);
    return run->batch ? keys_->Append(*run->batch, 0, pool_, &run->keyed) : Status::OK();
  });
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
  RunMerger merger(keys_, schema_, place_.context.pool, equal_rows_);
  for (auto& file : levels_[level]) merger.Add(std::move(file));
  levels_[level].clear();
  std::unique_ptr<SpillFile> merged;
  while (true) {
    RETURN_NOT_OK(place_.context.CheckCancelled());
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
    merger_ = std::make_unique<RunMerger>(keys_, schema_, place_.context.pool, equal_rows_);
    // The runs that were merged most are the earliest.
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      for (auto& file : *level) merger_->Add(std::move(file));
    }
    levels_.clear();
  }
  return merger_->Next(bounds);
}

}  // namespace reprise
