// Columns out of the batches that a cached table of Spark's consists of.
#pragma once

#include <arrow/buffer.h>
#include <arrow/memory_pool.h>

#include <memory>
#include <vector>

#include "plan/data_type.h"
#include "transitions/column_source.h"

namespace reprise {

/// The batches of a cached table (Spark's DefaultCachedBatch). jni/ implements it over Java's.
class CacheSource {
 public:
  virtual ~CacheSource() = default;

  /// As of ColumnSource.
  virtual Result<int64_t> Next() = 0;
  virtual Status Raise() = 0;

  /// The bytes of a column of the batch that Next has gone to, in the format of cached_columns.cc.
  virtual Result<std::shared_ptr<arrow::Buffer>> Column(int column, arrow::MemoryPool* pool) = 0;
};

/// The columns of `fields` out of the batches of `source`. A column is decoded when it is first
/// asked for. Bytes that are no such column are Status::Invalid that names it.
std::unique_ptr<ColumnSource> MakeCachedColumns(std::unique_ptr<CacheSource> source,
                                                const std::vector<Field>& fields,
                                                arrow::MemoryPool* pool);

}  // namespace reprise
