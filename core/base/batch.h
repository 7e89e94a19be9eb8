// Batch: what travels between operators.
#pragma once

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <memory>
#include <span>
#include <vector>

#include "base/status.h"

namespace reprise {

struct ValueError;

/// Arrow columns, a row count and an optional selection.
///
/// `columns[i]` has `row_count` rows and the type of `schema->field(i)`, except that a column whose
/// field is utf8 may be a dictionary array (int32 indices, utf8 values without nulls). Columns may
/// have an offset. `selection`, where present, holds ascending int32 indices of the rows that
/// count; the others are garbage: they must not be looked at by anything that can fail.
struct Batch {
  std::shared_ptr<arrow::Schema> schema;
  std::vector<std::shared_ptr<arrow::Array>> columns;
  int64_t row_count = 0;
  std::shared_ptr<arrow::Buffer> selection;  // int32 indices; null: all rows
  /// Values that could not be computed (value_errors.h), in the order of their rows; null: none.
  std::shared_ptr<const std::vector<ValueError>> errors;

  bool has_selection() const { return selection != nullptr; }
  /// Rows that count.
  int64_t selected_count() const {
    return selection ? selection->size() / static_cast<int64_t>(sizeof(int32_t)) : row_count;
  }
  /// The selected indices; call only where has_selection().
  std::span<const int32_t> selected() const {
    return {reinterpret_cast<const int32_t*>(selection->data()),
            static_cast<size_t>(selected_count())};
  }
};

/// A batch of all columns of a RecordBatch, without a selection; nothing is copied.
Batch ToBatch(const std::shared_ptr<arrow::RecordBatch>& records);

/// Column `index` with the selection applied: `selected_count()` rows. Without a selection, the
/// column itself. Dictionary columns stay dictionary-encoded.
Result<std::shared_ptr<arrow::Array>> GatherColumn(const Batch& batch, int index,
                                                   arrow::MemoryPool* pool);

/// The rows of `column` at `indices`, in their order; dictionary columns stay encoded. The indices
/// must be in range.
Result<std::shared_ptr<arrow::Array>> Gather(const arrow::Array& column,
                                             std::span<const int32_t> indices,
                                             arrow::MemoryPool* pool);

/// The column with dictionaries decoded to plain utf8; other columns unchanged.
Result<std::shared_ptr<arrow::Array>> DecodeDictionary(const std::shared_ptr<arrow::Array>& column,
                                                       arrow::MemoryPool* pool);

/// A plain RecordBatch with selection applied and dictionaries decoded: what leaves at the edges
/// (dump, replay, Python).
Result<std::shared_ptr<arrow::RecordBatch>> ToRecordBatch(const Batch& batch,
                                                          arrow::MemoryPool* pool);

/// Bytes of the buffers that the batch refers to (shared buffers counted once a batch).
int64_t ByteSize(const Batch& batch);

}  // namespace reprise
