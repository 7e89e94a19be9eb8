#include "base/value_errors.h"

#include <algorithm>

namespace reprise {

std::shared_ptr<const ValueErrors> ToBatchErrors(ValueErrors errors) {
  if (errors.empty()) return nullptr;
  std::ranges::stable_sort(
      errors, {}, [](const ValueError& error) { return std::pair(error.row, error.column); });
  return std::make_shared<const ValueErrors>(std::move(errors));
}

std::shared_ptr<const ValueErrors> ErrorsOfRows(const Batch& batch, int64_t first, int64_t count) {
  if (batch.errors == nullptr || (first == 0 && count == batch.row_count)) return batch.errors;
  ValueErrors errors;
  for (const ValueError& error : *batch.errors) {
    if (error.row < first || error.row >= first + count) continue;
    errors.push_back({static_cast<int32_t>(error.row - first), error.column, error.status});
  }
  return ToBatchErrors(std::move(errors));
}

ValueErrors ErrorsByPlace(const Batch& batch) {
  if (batch.errors == nullptr) return {};
  if (!batch.has_selection()) return *batch.errors;
  // Both ascend, and there are few errors.
  ValueErrors errors;
  const auto selected = batch.selected();
  for (const ValueError& error : *batch.errors) {
    const auto found = std::ranges::lower_bound(selected, error.row);
    if (found == selected.end() || *found != error.row) continue;
    errors.push_back({static_cast<int32_t>(found - selected.begin()), error.column, error.status});
  }
  return errors;
}

ValueErrors ErrorsAt(const ValueErrors& errors, std::span<const int32_t> rows) {
  ValueErrors at;
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const ValueError& error :
         std::ranges::equal_range(errors, rows[i], {}, &ValueError::row)) {
      at.push_back({static_cast<int32_t>(i), error.column, error.status});
    }
  }
  return at;
}

ValueErrors ErrorsOfColumns(ValueErrors errors, const std::function<int(int)>& column_of) {
  for (ValueError& error : errors) error.column = column_of(error.column);
  std::erase_if(errors, [](const ValueError& error) { return error.column < 0; });
  return errors;
}

std::optional<ValueError> FirstError(const Batch& batch, const std::function<bool(int)>& is_used) {
  for (ValueError& error : ErrorsByPlace(batch)) {
    if (is_used(error.column)) return std::move(error);
  }
  return std::nullopt;
}

Batch WithoutErrors(const Batch& batch) {
  if (batch.errors == nullptr) return batch;
  std::vector<int32_t> rows;
  auto error = batch.errors->begin();
  for (int64_t i = 0; i < batch.selected_count(); ++i) {
    const int32_t row =
        batch.has_selection() ? batch.selected()[static_cast<size_t>(i)] : static_cast<int32_t>(i);
    while (error != batch.errors->end() && error->row < row) ++error;
    if (error == batch.errors->end() || error->row != row) rows.push_back(row);
  }
  Batch without = batch;
  without.errors = nullptr;
  without.selection = arrow::Buffer::FromVector(std::move(rows));
  return without;
}

}  // namespace reprise
