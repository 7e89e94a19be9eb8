// RowSorter: rows put in an order, in memory or on disk.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "operators/sorted_runs.h"

namespace reprise {

/// Takes batches and gives their rows, or the first `limit` of them, in the order of some keys;
/// equal rows in the order in which they came, or with a limit in which their keys stand. Rows are
/// kept as they came; what is sorted are their keys (sort_keys.h). Each Spill makes the rows that
/// are in memory a sorted run in a spill file; all runs are merged in the end.
///
/// An operator owns it, and reserves memory before it adds.
class RowSorter {
 public:
  /// `keys` must outlive the object, `place.context` too.
  RowSorter(const SortKeys* keys, std::shared_ptr<arrow::Schema> schema, SpillPlace place,
            int64_t limit);

  /// Bytes that adding `batch` takes, and room for what is put out of it, about.
  int64_t GrowthBytes(const Batch& batch) const;
  /// Adds the selected rows, of which there are some.
  Status Add(const Batch& batch);

  /// The keys of the rows in memory. With a limit, their items may be put in another order, and
  /// some taken out.
  KeyedRows& keyed() { return keyed_; }
  /// Adds the selected rows, whose keys have been added to `keyed`.
  Status AddRows(const Batch& batch);
  /// Holds on to no rows in memory but those whose keys are there, in the order of the items.
  Status KeepKeyed();
  /// Of batches that rows in memory are held in.
  int32_t batch_count() const { return batches_.size(); }

  /// Of the rows in memory.
  int64_t row_count() const { return keyed_.items().size(); }
  int64_t bytes() const { return bytes_; }

  /// After the last row.
  Status Finish();
  /// Then the next rows, as many as are within `bounds`, or nothing at the end.
  Result<std::optional<Batch>> Next(const BatchBounds& bounds);

  /// What Spill frees.
  int64_t SpillableBytes() const { return position_ < row_count() ? bytes_ : 0; }
  /// Makes the rows in memory that have not been given a run.
  Result<int64_t> Spill();
  /// Merges runs where there are many; between two calls of Add, where memory is not as short.
  Status MergeRuns() { return runs_.MergeMany(); }

 private:
  void SortRows();
  /// The position behind the last of the rows in memory that may leave.
  int64_t End() const { return std::min(limit_ - given_ + position_, row_count()); }
  Result<Batch> TakeSorted(const BatchBounds& bounds, int64_t end);
  Result<Batch> TakeFrom(int64_t begin, const BatchBounds& bounds, int64_t end) const;
  void Forget();

  const SortKeys& keys_;
  std::shared_ptr<arrow::Schema> schema_;
  const SpillPlace place_;
  arrow::MemoryPool* pool_;
  const int64_t limit_;
  KeyedRows keyed_;
  BatchPile batches_;
  SortedRuns runs_;
  int64_t rows_bytes_ = 0;
  int64_t bytes_ = 0;     // of all that Spill frees
  int64_t position_ = 0;  // of the first item that has not been put out
  int64_t given_ = 0;     // rows that were put out
  bool is_sorted_ = false;
};

}  // namespace reprise
