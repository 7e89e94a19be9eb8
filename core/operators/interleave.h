// Rows of several batches put into one, in any order.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/batch.h"

namespace reprise {

/// A row of one of some batches.
struct RowOfBatch {
  int32_t batch;
  int32_t row;
};

/// The batch without a selection, its dictionaries decoded: what Interleave takes.
Result<Batch> Compacted(const Batch& batch, arrow::MemoryPool* pool);

/// The rows at `rows`, in their order, of compacted batches of the same schema. Strings of more
/// than 2 GiB together are Status::CapacityError.
Result<Batch> Interleave(std::span<const Batch> batches, std::span<const RowOfBatch> rows,
                         const std::shared_ptr<arrow::Schema>& schema, arrow::MemoryPool* pool);

}  // namespace reprise
