// One column of the batches of a cached table, written.
#pragma once

#include <arrow/array.h>
#include <arrow/buffer_builder.h>
#include <arrow/memory_pool.h>

#include <memory>
#include <span>

#include "plan/data_type.h"

namespace reprise {

class StatisticsRow;

/// Takes values until a batch is full, and writes them as Spark's ColumnBuilder of their type does:
/// the same bytes, in the format of cached_columns.cc, and the same statistics.
class CacheColumnWriter {
 public:
  virtual ~CacheColumnWriter() = default;

  /// The values that come next are of this column: of the field's Arrow type, strings with a
  /// dictionary or without.
  virtual void Begin(const arrow::Array& column) = 0;

  /// Adds to each element what the row of its number counts towards the size of a batch, in bytes.
  virtual void AddSizes(std::span<int64_t> sizes) const = 0;

  /// Takes the rows from `first` on.
  virtual Status Append(int64_t first, int64_t count) = 0;

  /// Writes what has been taken, to `bytes` and its five fields to `statistics`, and begins anew.
  virtual Status Finish(arrow::BufferBuilder* bytes, StatisticsRow* statistics) = 0;
};

/// `compresses`: a scheme is chosen where it saves a fifth; else values stand as they are.
/// Status::NotImplemented for a type without a native form.
Result<std::unique_ptr<CacheColumnWriter>> MakeCacheColumnWriter(const Field& field,
                                                                 bool compresses,
                                                                 arrow::MemoryPool* pool);

}  // namespace reprise
