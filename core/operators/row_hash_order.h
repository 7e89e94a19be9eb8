// Rows in the order in which Spark deals them out to the partitions of an exchange.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "operators/operator.h"
#include "operators/row_hash_keys.h"
#include "operators/run_heap.h"

namespace reprise {

/// Takes all rows of a partition and gives them ordered by RowHashKeys. So what leaves does not
/// depend on the order in which rows come, which after a shuffle is another one in every attempt.
///
/// Rows are kept as they came, and their keys are sorted; what is spilled is a sorted run, and runs
/// are merged in the end.
class RowHashOrder {
 public:
  static Result<std::unique_ptr<RowHashOrder>> Make(const std::vector<Field>& fields,
                                                    const TaskContext& context);

  /// Bytes that adding `batch` allocates, about.
  static int64_t Growth(const Batch& batch);

  /// Adds the selected rows of `batch`, before End.
  Status Add(const Batch& batch);
  /// All rows have been added.
  Status End();
  bool is_complete() const { return is_complete_; }
  /// Whether some are on disk: then the others should go there before End, so that none stand
  /// beside a merge.
  bool has_runs() const { return !runs_.empty(); }

  /// The next rows, or nothing at the end; after End.
  Result<std::optional<Batch>> Next();

  /// What Spill frees.
  int64_t bytes() const { return position_ < keys_.size() ? bytes_ : 0; }
  /// Moves the rows that are in memory and have not been given to disk. Returns the bytes written.
  Result<int64_t> Spill();

 private:
  struct Run : MergedRun {
    explicit Run(arrow::MemoryPool* pool) : keys(pool) {}
    PoolVector<RowHashKey> keys;  // of `batch`
  };

  RowHashOrder(RowHashKeys row_keys, std::shared_ptr<arrow::Schema> schema,
               const TaskContext& context);

  Status SortKeys();
  Result<Batch> TakeSorted(const BatchBounds& bounds);
  void Forget();
  Result<std::optional<Batch>> NextMerged();

  RowHashKeys row_keys_;
  const std::shared_ptr<arrow::Schema> schema_;
  const TaskContext& context_;
  BatchPile batches_;
  PoolVector<RowHashKey> keys_;
  int64_t bytes_ = 0;     // of the batches and keys
  int64_t position_ = 0;  // of the first key whose row has not been given
  bool is_sorted_ = false;
  bool is_complete_ = false;
  RunHeap<Run> runs_;
  Status compared_;  // what went wrong in comparing
};

}  // namespace reprise
