// Runs of sorted rows in spill files, merged row by row.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "exchange/spill_file.h"
#include "operators/interleave.h"

namespace reprise {

/// A run that is merged with others; who merges adds the keys of `batch`.
struct MergedRun {
  std::unique_ptr<SpillFile> file;
  std::unique_ptr<SpillReader> reader;
  std::optional<Batch> batch;  // compacted; none at the end of the run
  int64_t position = 0;        // of the next row in the batch
  int32_t slot = -1;           // of the batch among those of the result being made
};

/// Which of equal rows of several runs come first.
enum class EqualRows { kOfEarlierRunFirst, kOfLaterRunFirst };

/// Merges runs, each a MergedRun or more. Holds one batch of each run.
template <typename Run>
class RunHeap {
 public:
  RunHeap(std::shared_ptr<arrow::Schema> schema, arrow::MemoryPool* pool,
          EqualRows equal_rows = EqualRows::kOfEarlierRunFirst)
      : schema_(std::move(schema)), pool_(pool), equal_rows_(equal_rows) {}

  /// Adds the next run, before the first Next.
  void Add(std::unique_ptr<Run> run) { runs_.push_back(std::move(run)); }
  /// None was added, or all rows have been given.
  bool empty() const { return runs_.empty(); }

  /// The next rows, as many as are within `bounds`, or nothing at the end. `compare` says of two
  /// runs which one's next row comes first, as operator<=> does; `read_keys` is told of each batch
  /// of a run, and of the run's end.
  template <typename Compare, typename ReadKeys>
  Result<std::optional<Batch>> Next(const BatchBounds& bounds, Compare&& compare,
                                    ReadKeys&& read_keys) {
    const auto after = [&](int32_t left, int32_t right) {
      const int compared = compare(*runs_[left], *runs_[right]);
      if (compared != 0) return compared > 0;
      return equal_rows_ == EqualRows::kOfEarlierRunFirst ? left > right : left < right;
    };
    if (!is_started_) RETURN_NOT_OK(Start(after, read_keys));
    BatchPile batches(schema_);
    std::vector<RowOfBatch> rows;
    int64_t bytes = 0;
    for (const auto& run : runs_) run->slot = -1;
    while (!heap_.empty() && std::ssize(rows) < bounds.rows) {
      Run& run = *runs_[heap_.front()];
      if (run.slot < 0) {
        run.slot = batches.size();
        batches.Add(*run.batch);
      }
      const RowOfBatch row{run.slot, static_cast<int32_t>(run.position)};
      bytes += batches.BytesOf(row);
      if (bytes > bounds.bytes && !rows.empty()) break;
      rows.push_back(row);
      std::ranges::pop_heap(heap_, after);
      if (++run.position == run.batch->row_count) RETURN_NOT_OK(Advance(&run, read_keys));
      if (run.batch) {
        std::ranges::push_heap(heap_, after);
      } else {
        heap_.pop_back();
      }
    }
    if (rows.empty()) {
      runs_.clear();
      return std::nullopt;
    }
    ARROW_ASSIGN_OR_RAISE(Batch merged, batches.Take(rows, pool_));
    return merged;
  }

 private:
  template <typename After, typename ReadKeys>
  Status Start(const After& after, ReadKeys&& read_keys) {
    is_started_ = true;
    for (size_t i = 0; i < runs_.size(); ++i) {
      runs_[i]->reader = runs_[i]->file->Read(pool_);
      RETURN_NOT_OK(Advance(runs_[i].get(), read_keys));
      if (runs_[i]->batch) heap_.push_back(static_cast<int32_t>(i));
    }
    std::ranges::make_heap(heap_, after);
    return Status::OK();
  }

  // Reads the run's next batch, or none.
  template <typename ReadKeys>
  Status Advance(Run* run, ReadKeys&& read_keys) {
    run->position = 0;
    run->slot = -1;
    do {
      ARROW_ASSIGN_OR_RAISE(run->batch, run->reader->Next());
    } while (run->batch && run->batch->selected_count() == 0);
    if (run->batch) {
      ARROW_ASSIGN_OR_RAISE(run->batch, Compacted(*run->batch, pool_));
    }
    return read_keys(run);
  }

  std::shared_ptr<arrow::Schema> schema_;
  arrow::MemoryPool* pool_;
  const EqualRows equal_rows_;
  std::vector<std::unique_ptr<Run>> runs_;
  std::vector<int32_t> heap_;  // of runs that have rows, the first row's on top
  bool is_started_ = false;
};

}  // namespace reprise
