#include "base/selected_rows.h"

#include "base/value_errors.h"

namespace reprise {

Batch SelectedRows(const Batch& batch, int64_t begin, int64_t end) {
  Batch rows = batch;
  if (batch.has_selection()) {
    rows.selection = arrow::SliceBuffer(batch.selection, begin * sizeof(int32_t),
                                        (end - begin) * sizeof(int32_t));
    return rows;
  }
  for (auto& column : rows.columns) column = column->Slice(begin, end - begin);
  rows.row_count = end - begin;
  rows.errors = ErrorsOfRows(batch, begin, end - begin);
  return rows;
}

}  // namespace reprise
