// Values of lists, maps and structs as text, by which columns of different files are compared.
#pragma once

#include <arrow/array/array_base.h>
#include <arrow/memory_pool.h>

#include <memory>

#include "base/status.h"

namespace reprise {

/// A utf8 column of the same length, nulls where `column` has them: [1, null], {"key": 1},
/// {field: 1.50}. Depends on the values and the names of fields only, not on how types name the
/// parts of lists and maps.
Result<std::shared_ptr<arrow::Array>> ValueTexts(const arrow::Array& column,
                                                 arrow::MemoryPool* pool);

}  // namespace reprise
