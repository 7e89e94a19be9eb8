// Arrays, maps and structs as the columns that Parquet has of them.
#pragma once

#include <arrow/array.h>
#include <arrow/memory_pool.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"

namespace reprise {

/// A column of a file below a nested one: its values, and at which levels they stand
/// (the format's "Nested Encoding").
struct LeafColumn {
  std::shared_ptr<arrow::Array> values;    ///< without those that are null, or of which a parent is
  std::vector<int16_t> definition_levels;  ///< one a place, whether there is a value or not
  std::vector<int16_t> repetition_levels;  ///< as many
};

/// The leaves of `column`, whose type is that of `field`, in the order of the file's schema.
/// A null where `field`, or one within it, has none is Status::Invalid that names the field.
Result<std::vector<LeafColumn>> LeavesOf(const std::shared_ptr<arrow::Array>& column,
                                         const arrow::Field& field, arrow::MemoryPool* pool);

}  // namespace reprise
