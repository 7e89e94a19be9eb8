#include "expressions/row_error.h"

#include "base/value_errors.h"

namespace reprise {

bool IsOfRow(const Status& error) {
  return !error.ok() && !error.IsOutOfMemory() && !error.IsCapacityError() && !error.IsCancelled();
}

RowError FindRowError(const Batch& batch, const Status& error,
                      const std::function<Status(const Batch&)>& work) {
  if (!IsOfRow(error)) return {0, error};
  int64_t begin = 0;                     // no row before it fails
  int64_t end = batch.selected_count();  // some row before it does
  while (end - begin > 1) {
    const int64_t middle = begin + (end - begin) / 2;
    const Status half = work(SelectedRows(batch, begin, middle));
    if (!half.ok() && !IsOfRow(half)) return {0, half};
    (half.ok() ? begin : end) = middle;
  }
  if (begin == end) return {0, error};
  const Status alone = work(SelectedRows(batch, begin, begin + 1));
  // Together the rows were too much, or the last of them.
  if (!IsOfRow(alone)) return {0, alone.ok() ? error : alone};
  return {begin, alone};
}

Status DueError::Cut(Batch* batch, const Status& error,
                     const std::function<Status(const Batch&)>& work) {
  RowError first = FindRowError(*batch, error, work);
  if (first.row == 0) return std::move(first.status);
  Set(std::move(first.status));
  *batch = SelectedRows(*batch, 0, first.row);
  return Status::OK();
}

Status DueError::EndAtValue(Batch* batch, const std::function<bool(int)>& is_used) {
  std::optional<ValueError> first = FirstError(*batch, is_used);
  if (first) {
    if (first->row == 0) return std::move(first->status);
    Set(std::move(first->status));
    *batch = SelectedRows(*batch, 0, first->row);
  }
  // Rows that are not selected any more have none that matters.
  if (ErrorsByPlace(*batch).empty()) batch->errors = nullptr;
  return Status::OK();
}

}  // namespace reprise
