// UnsafeRow -> Arrow.
#pragma once

#include <arrow/memory_pool.h>

#include <memory>
#include <span>
#include <vector>

#include "base/batch.h"
#include "plan/data_type.h"

namespace reprise {

class RowColumnReader;

/// Turns many UnsafeRows of one schema into a batch. Rows are read in blocks that fit the cache,
/// column by column.
class UnsafeRowDecoder {
 public:
  /// A field whose type has no native form is Status::NotImplemented.
  static Result<std::unique_ptr<UnsafeRowDecoder>> Make(const std::vector<Field>& fields,
                                                        arrow::MemoryPool* pool);
  ~UnsafeRowDecoder();

  /// `rows` holds the rows one after the other, `lengths` the bytes of each. The batch owns its
  /// memory, which is all from the pool. Rows that contradict their schema (too short, or a value
  /// outside its row) are Status::Invalid naming row and column; more than 2 GB of strings in one
  /// column are Status::CapacityError.
  Result<Batch> Decode(std::span<const uint8_t> rows, std::span<const int32_t> lengths);

 private:
  UnsafeRowDecoder(std::shared_ptr<arrow::Schema> schema,
                   std::vector<std::unique_ptr<RowColumnReader>> readers);
  Status CheckLengths(std::span<const uint8_t> rows, std::span<const int32_t> lengths) const;

  std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::unique_ptr<RowColumnReader>> readers_;
};

}  // namespace reprise
