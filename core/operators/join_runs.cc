// A merge holds a batch of each run. So that there are never many, runs are merged as soon as there
// are kRunsAtOnce of them, and what comes of it with others of its kind in turn.
#include "operators/join_runs.h"

#include <algorithm>

namespace reprise {

namespace {

constexpr size_t kRunsAtOnce = 16;
constexpr int64_t kRunBatchBytes = 128 << 10;
constexpr int64_t kMergedRows = 4096;

}  // namespace

Result<std::unique_ptr<JoinRuns>> JoinRuns::Make(const std::vector<Field>& fields,
                                                 int number_column, const JoinSpillPlace* place) {
  const ExpressionSpec number{"column",
                              fields[static_cast<size_t>(number_column)].type,
                              true,
                              {{"index", number_column}},
                              {}};
  const nlohmann::json ordering = {
      {{"expression", ToJson(number)}, {"ascending", true}, {"nullsFirst", false}}};
  ARROW_ASSIGN_OR_RAISE(SortKeys keys, SortKeys::Make(ordering, fields));
  ARROW_ASSIGN_OR_RAISE(auto schema, ToArrowSchema(fields));
  return std::unique_ptr<JoinRuns>(new JoinRuns(std::move(keys), std::move(schema), place));
}

Status JoinRuns::Write(const Batch& batch) {
  ARROW_ASSIGN_OR_RAISE(const Batch compacted, Compacted(batch, place_.context.pool));
  return WriteSlices(compacted, &run_);
}

Status JoinRuns::WriteSlices(const Batch& batch, std::unique_ptr<SpillFile>* file) {
  if (batch.row_count == 0) return Status::OK();
  if (!*file) {
    ARROW_ASSIGN_OR_RAISE(*file, place_.MakeFile(schema_));
  }
  // A merge holds a row twice, and its key.
  const int64_t bytes =
      2 * ByteSize(batch) + batch.row_count * static_cast<int64_t>(sizeof(SortItem));
  const int64_t rows_at_once = std::max<int64_t>(1, kRunBatchBytes * batch.row_count / bytes);
  const int64_t before = (*file)->bytes();
  for (int64_t begin = 0; begin < batch.row_count; begin += rows_at_once) {
    Batch slice{schema_, {}, std::min(rows_at_once, batch.row_count - begin), nullptr};
    for (const auto& column : batch.columns) {
      slice.columns.push_back(column->Slice(begin, slice.row_count));
    }
    RETURN_NOT_OK((*file)->Write(slice));
  }
  place_.count_spilled((*file)->bytes() - before);
  return Status::OK();
}

Status JoinRuns::EndRun() {
  if (!run_) return Status::OK();
  if (levels_.empty()) levels_.emplace_back();
  run_->EndWriting();
  levels_[0].push_back(std::move(run_));
  for (size_t level = 0; level < levels_.size() && levels_[level].size() == kRunsAtOnce; ++level) {
    RETURN_NOT_OK(MergeLevel(level));
  }
  return Status::OK();
}

Status JoinRuns::MergeLevel(size_t level) {
  const auto merger = MakeMerger();
  for (auto& file : levels_[level]) merger->Add(std::move(file));
  levels_[level].clear();
  std::unique_ptr<SpillFile> merged;
  while (true) {
    if (place_.context.cancelled && place_.context.cancelled()) {
      return Status::Cancelled("the task was cancelled");
    }
    ARROW_ASSIGN_OR_RAISE(const auto batch, merger->Next(kMergedRows));
    if (!batch) break;
    RETURN_NOT_OK(WriteSlices(*batch, &merged));
  }
  if (level + 1 == levels_.size()) levels_.emplace_back();
  merged->EndWriting();
  levels_[level + 1].push_back(std::move(merged));
  return Status::OK();
}

Result<std::optional<Batch>> JoinRuns::Next(int64_t rows_max) {
  if (!merger_) {
    RETURN_NOT_OK(EndRun());
    merger_ = MakeMerger();
    // The runs that were merged most are the earliest.
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      for (auto& file : *level) merger_->Add(std::move(file));
    }
    levels_.clear();
  }
  return merger_->Next(rows_max);
}

}  // namespace reprise
