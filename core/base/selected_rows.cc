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

Result<std::shared_ptr<arrow::Buffer>> SelectionAt(const Batch& batch,
                                                   std::span<const int32_t> places,
                                                   arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto at, arrow::AllocateResizableBuffer(
                                     static_cast<int64_t>(places.size() * sizeof(int32_t)), pool));
  auto* const indices = reinterpret_cast<int32_t*>(at->mutable_data());
  for (size_t i = 0; i < places.size(); ++i) {
    const auto place = static_cast<size_t>(places[i]);
    indices[i] = batch.has_selection() ? batch.selected()[place] : places[i];
  }
  return std::shared_ptr<arrow::Buffer>(std::move(at));
}

}  // namespace reprise
