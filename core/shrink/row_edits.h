// Smaller and simpler forms of the rows of a stream.
#pragma once

#include <arrow/scalar.h>

#include <optional>

#include "dump/task_dump.h"

namespace reprise {

int64_t RowCount(const RecordBatches& batches);

/// Without the rows from `first` on, `count` of them. What is left of a batch stays one; batches
/// that have none left are gone.
Result<RecordBatches> WithoutRows(const RecordBatches& batches, int64_t first, int64_t count,
                                  arrow::MemoryPool* pool);

/// All rows in one batch; nothing where they are in one already.
Result<std::optional<RecordBatches>> InOneBatch(const RecordBatches& batches,
                                                arrow::MemoryPool* pool);

/// With one value in all rows of a column.
Result<RecordBatches> WithColumn(const RecordBatches& batches, int column,
                                 const arrow::Scalar& value, arrow::MemoryPool* pool);

/// The value in a row of all batches.
Result<std::shared_ptr<arrow::Scalar>> ValueAt(const RecordBatches& batches, int column,
                                               int64_t row);
/// With another value there.
Result<RecordBatches> WithValue(const RecordBatches& batches, int column, int64_t row,
                                const arrow::Scalar& value, arrow::MemoryPool* pool);

}  // namespace reprise
