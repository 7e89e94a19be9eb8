// Picks rows of a column by number, where a number may also say "no row".
#pragma once

#include <arrow/array.h>

#include <memory>
#include <span>

#include "base/status.h"

namespace reprise {

/// What stands at a row whose index is below 0.
enum class Missing {
  kNull,       ///< null
  kUndefined,  ///< any value: the row is not selected
};

/// The rows of `column` at `indices`, in their order; dictionary columns stay encoded. Indices must
/// be below the column's length. Strings of more than 2 GiB together are Status::CapacityError.
Result<std::shared_ptr<arrow::Array>> GatherRows(const arrow::Array& column,
                                                 std::span<const int32_t> indices, Missing missing,
                                                 arrow::MemoryPool* pool);

}  // namespace reprise
