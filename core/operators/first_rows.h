// FirstRows: the first rows in an order, those that Spark keeps among equal ones.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "operators/row_sorter.h"

namespace reprise {

/// Takes batches and gives the first `limit` of their rows in the order of some keys.
///
/// Which of the rows with equal keys these are, and how they follow, is what Spark's
/// TakeOrderedAndProjectExec gives, whose rows go through Guava's TopKSelector: a buffer of twice
/// `limit` rows takes those before the last of the first `limit` known. When it is full, a
/// quickselect leaves half of them; it does not keep the order of equal rows, but what it does is
/// determined by the keys. In the end the buffer is sorted stably. Before Spark 4 it is an older
/// Guava's, whose quickselect has as many rounds as it takes, and else is the same. Here the buffer
/// is the items of the keys. A row that is not before the last one known is dropped by its key,
/// before any of its columns is copied; rows that the quickselect has dropped are given up once
/// there are some.
///
/// Each Spill makes the rows kept so far a sorted run, and the buffer starts empty. Of rows with
/// equal keys the earlier run's come first: Spark's, unless its buffer would have been full with
/// rows of several runs. Spark's own does not spill.
///
/// An operator owns it.
class FirstRows {
 public:
  /// `keys` must outlive the object, `place.context` too. `bounded_selection`: a quickselect that
  /// has taken too many rounds ends in a sort.
  FirstRows(const SortKeys* keys, std::shared_ptr<arrow::Schema> schema, const SpillPlace& place,
            int64_t limit, bool bounded_selection);

  /// Adds the selected rows, of which there are some. `reserve` is asked for bytes before some are
  /// taken, and may call Spill.
  Status Add(const Batch& batch, const std::function<Status(int64_t)>& reserve);

  /// After the last row.
  Status Finish() { return sorter_.Finish(); }
  /// Then the next rows, as many as are within `bounds`, or nothing at the end.
  Result<std::optional<Batch>> Next(const BatchBounds& bounds) { return sorter_.Next(bounds); }

  /// What Spill frees.
  int64_t SpillableBytes() const { return sorter_.SpillableBytes(); }
  Result<int64_t> Spill();

 private:
  bool IsBeforeLast(const SortItem& candidate) const;
  Result<bool> Offer(const SortItem& candidate, int32_t row);
  Status Trim();
  int64_t Partition(int64_t first, int64_t last);
  Status GiveUpDropped(const std::function<Status(int64_t)>& reserve);

  const SortKeys& keys_;
  arrow::MemoryPool* const pool_;
  const int64_t limit_;
  const bool bounded_selection_;
  const int64_t dropped_target_;
  RowSorter sorter_;      // its keys are the buffer
  KeyedRows candidates_;  // of the batch being added
  std::vector<int32_t> passing_;
  KeyedRows last_;       // the greatest of the first `limit_` keys of the buffer
  KeyedRows bound_;      // of spilled rows so many are before it, or equal
  int64_t dropped_ = 0;  // rows held that are not in the buffer any more
  bool has_bound_ = false;
};

}  // namespace reprise
