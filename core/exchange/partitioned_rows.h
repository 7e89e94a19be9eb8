// Rows on their way into an exchange, put in the order of their partitions.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "exchange/block_encoder.h"
#include "exchange/partitioning.h"

namespace reprise {

/// Takes batches and gives the rows of one partition after the other.
///
/// Each batch is sorted by partition as it comes: one stable counting sort of row numbers and one
/// gather a column, while the batch is in the cache. Giving a partition's rows is then a piece of
/// each sorted batch, which the encoder copies one after the other.
class PartitionedRows {
 public:
  /// `column_count`: so many of the first columns of each batch are kept; those behind them are
  /// there to be partitioned by.
  PartitionedRows(Partitioning* partitioning, size_t column_count, arrow::MemoryPool* pool)
      : partitioning_(partitioning), column_count_(column_count), pool_(pool) {}

  /// Adds the selected rows of `batch`. Not while rows are being taken out.
  Status Add(Batch batch);

  /// Bytes that adding `batch` allocates, about.
  int64_t Growth(const Batch& batch) const;

  int64_t rows() const { return rows_; }
  /// Memory that the batches hold.
  int64_t bytes() const { return bytes_; }

  /// Some rows of one partition.
  struct Chunk {
    int partition = 0;
    int64_t rows = 0;
    int64_t bytes = 0;  ///< PlainBytes of all slices
    std::vector<BatchSlice> slices;
  };
  /// The next rows to be encoded: at most `rows_max`, and about `bytes_max` at most unless one row
  /// alone has more. Nothing, and all memory given back, once all have been given. The chunk is
  /// valid until the next call.
  std::optional<Chunk> Take(int64_t rows_max, int64_t bytes_max);

 private:
  struct Sorted {
    Batch batch;
    std::vector<int32_t> begins;  // of each partition, and the end
  };

  Result<Sorted> Sort(Batch batch);
  Status Assign(const Batch& batch);
  void Begin(int partition);
  int64_t NewBytes(const Batch& batch);

  Partitioning* partitioning_;
  const size_t column_count_;
  arrow::MemoryPool* pool_;
  std::vector<Sorted> batches_;
  int64_t rows_ = 0;
  int64_t bytes_ = 0;
  int next_partition_ = 0;
  std::deque<BatchSlice> left_;                        // of partition next_partition_ - 1
  std::vector<const arrow::ArrayData*> dictionaries_;  // each column's in the batch before
  std::vector<int32_t> partitions_;
  std::vector<int32_t> indices_;
};

}  // namespace reprise
