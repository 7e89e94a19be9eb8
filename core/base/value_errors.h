// Values of a batch that could not be computed.
//
// Spark's generated code computes a column where somebody uses it first: of a row that a filter or
// a join drops before that, never, so that it cannot fail there. Batches are computed whole, so
// such an error stays with its value until an operator uses the column (Operator::hands_on), or
// until the row is gone.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/batch.h"

namespace reprise {

/// An error in place of a value, which is null in its column.
struct ValueError {
  int32_t row = 0;  ///< physical
  int column = 0;
  Status status;
};

/// In the order of their rows; of one row, of their columns.
using ValueErrors = std::vector<ValueError>;

/// Errors for Batch::errors, which they are put in order for; null where there are none.
std::shared_ptr<const ValueErrors> ToBatchErrors(ValueErrors errors);

/// Those of `count` physical rows from row `first` on, which are counted from there.
std::shared_ptr<const ValueErrors> ErrorsOfRows(const Batch& batch, int64_t first, int64_t count);

/// The errors of the selected rows, whose `row` is their place among these.
ValueErrors ErrorsByPlace(const Batch& batch);

/// The errors of `rows`, each as of its place among these.
ValueErrors ErrorsAt(const ValueErrors& errors, std::span<const int32_t> rows);

/// Those of the columns for which `column_of` gives a number, 0 or more, as of that column.
ValueErrors ErrorsOfColumns(ValueErrors errors, const std::function<int(int)>& column_of);

/// The first error among the selected rows that is of a column for which `is_used` holds; its `row`
/// is its place among them.
std::optional<ValueError> FirstError(const Batch& batch, const std::function<bool(int)>& is_used);

/// The batch without the rows that have an error.
Batch WithoutErrors(const Batch& batch);

}  // namespace reprise
