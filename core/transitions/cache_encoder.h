// Batches -> the batches of a cached table (Spark's DefaultCachedBatch): the inverse of
// cached_columns.h.
#pragma once

#include <arrow/buffer.h>
#include <arrow/memory_pool.h>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/batch.h"
#include "transitions/cache_column_writer.h"

namespace reprise {

/// How rows are cut into the batches of a cache, and kept.
struct CacheLayout {
  int64_t rows_max = 0;  ///< of a batch, at least 1 (spark.sql.inMemoryColumnarStorage.batchSize)
  bool compresses = false;  ///< spark.sql.inMemoryColumnarStorage.compressed
};

/// A batch of a cache.
struct EncodedCacheBatch {
  /// An int32 and the bytes that it counts, for each column in turn and for the row of statistics.
  std::shared_ptr<arrow::Buffer> bytes;
  int64_t rows = 0;
};

/// Writes rows as Spark's DefaultCachedBatchSerializer does: the same batches, byte for byte.
class CacheEncoder {
 public:
  static Result<std::unique_ptr<CacheEncoder>> Make(const std::vector<Field>& fields,
                                                    CacheLayout layout, arrow::MemoryPool* pool);

  Status Add(const Batch& batch);
  /// There are no more rows.
  Status Finish() { return pending_rows_ > 0 ? EndBatch() : Status::OK(); }
  /// The next batch that is whole, if there is one.
  std::optional<EncodedCacheBatch> Take();

 private:
  CacheEncoder(std::vector<std::unique_ptr<CacheColumnWriter>> columns, CacheLayout layout,
               arrow::MemoryPool* pool)
      : columns_(std::move(columns)), layout_(layout), pool_(pool) {}
  Status EndBatch();

  const std::vector<std::unique_ptr<CacheColumnWriter>> columns_;
  const CacheLayout layout_;
  arrow::MemoryPool* const pool_;
  int64_t pending_rows_ = 0;   // of the batch that is being made
  int64_t pending_bytes_ = 0;  // as Spark counts them
  std::deque<EncodedCacheBatch> ready_;
};

}  // namespace reprise
