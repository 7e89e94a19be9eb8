// Some of a batch's rows.
#pragma once

#include <span>

#include "base/batch.h"

namespace reprise {

/// The selected rows from number `begin` up to `end`, without that; nothing is copied.
Batch SelectedRows(const Batch& batch, int64_t begin, int64_t end);

/// A selection of the selected rows at `places` among them, ascending.
Result<std::shared_ptr<arrow::Buffer>> SelectionAt(const Batch& batch,
                                                   std::span<const int32_t> places,
                                                   arrow::MemoryPool* pool);

/// A selection of those selected rows for which `keep(place among them)` holds, asked in order.
template <typename Keep>
Result<std::shared_ptr<arrow::Buffer>> SelectionOf(const Batch& batch, arrow::MemoryPool* pool,
                                                   Keep&& keep) {
  const int64_t rows = batch.selected_count();
  ARROW_ASSIGN_OR_RAISE(auto kept, arrow::AllocateResizableBuffer(rows * sizeof(int32_t), pool));
  auto* const indices = reinterpret_cast<int32_t*>(kept->mutable_data());
  const int32_t* const selected = batch.has_selection() ? batch.selected().data() : nullptr;
  int64_t count = 0;
  for (int64_t i = 0; i < rows; ++i) {
    indices[count] = selected != nullptr ? selected[i] : static_cast<int32_t>(i);
    count += keep(i) ? 1 : 0;
  }
  RETURN_NOT_OK(kept->Resize(count * sizeof(int32_t)));
  return kept;
}

}  // namespace reprise
