// Sorted runs in spill files, merged.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "operators/run_heap.h"
#include "operators/sort_keys.h"
#include "operators/spill_place.h"

namespace reprise {

/// Merges runs of rows that are sorted by the same keys (RunHeap).
class RunMerger {
 public:
  RunMerger(const SortKeys* keys, std::shared_ptr<arrow::Schema> schema, arrow::MemoryPool* pool,
            EqualRows equal_rows)
      : keys_(keys), pool_(pool), runs_(std::move(schema), pool, equal_rows) {}

  /// Adds the next run, before the first Next.
  void Add(std::unique_ptr<SpillFile> file);

  /// The next rows, as many as are within `bounds`, or nothing at the end.
  Result<std::optional<Batch>> Next(const BatchBounds& bounds);

 private:
  struct Run : MergedRun {
    Run(std::unique_ptr<SpillFile> spilled, arrow::MemoryPool* pool)
        : MergedRun{.file = std::move(spilled)}, keyed(pool) {}
    KeyedRows keyed;  // of `batch`
  };

  const SortKeys* keys_;
  arrow::MemoryPool* pool_;
  RunHeap<Run> runs_;
};

/// Any number of runs. A merge holds a batch of each run: so that there are never many, runs are
/// merged once there are some, and what comes of it with others of its kind in turn.
class SortedRuns {
 public:
  /// `keys` and `place` must outlive the object.
  SortedRuns(const SortKeys* keys, std::shared_ptr<arrow::Schema> schema, const SpillPlace* place,
             EqualRows equal_rows = EqualRows::kOfEarlierRunFirst)
      : keys_(keys), schema_(std::move(schema)), place_(*place), equal_rows_(equal_rows) {}

  /// Appends rows without a selection to a run's file, which is made where it is null.
  Status Write(const Batch& rows, std::unique_ptr<SpillFile>* file) const;

  /// Adds the next run.
  void Add(std::unique_ptr<SpillFile> run);
  bool has_runs() const { return has_runs_; }
  /// Merges runs where there are many.
  Status MergeMany();

  /// After the last run: the next rows, as many as are within `bounds`, or nothing at the end.
  Result<std::optional<Batch>> Next(const BatchBounds& bounds);

 private:
  using Files = std::vector<std::unique_ptr<SpillFile>>;

  Status MergeLevel(size_t level);

  const SortKeys* keys_;
  std::shared_ptr<arrow::Schema> schema_;
  const SpillPlace& place_;
  const EqualRows equal_rows_;
  std::vector<Files> levels_;  // runs of each were merged so often
  std::unique_ptr<RunMerger> merger_;
  bool has_runs_ = false;
};

}  // namespace reprise
