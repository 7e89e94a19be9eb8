// Columns that rows on disk have beside their own.
#pragma once

#include <arrow/array.h>

#include <memory>

#include "base/status.h"
#include "operators/pool_vector.h"

namespace reprise {

/// A boolean column of `rows` flags, one byte each; null: all of them 0.
Result<std::shared_ptr<arrow::Array>> FlagColumn(const uint8_t* flags, int64_t rows,
                                                 arrow::MemoryPool* pool);

/// Appends what FlagColumn has made to `flags`.
Status AppendFlags(const arrow::Array& column, PoolVector<uint8_t>* flags);

/// A column of type long: `first` and the `rows` - 1 numbers after it.
Result<std::shared_ptr<arrow::Array>> RowNumbers(int64_t first, int64_t rows,
                                                 arrow::MemoryPool* pool);

}  // namespace reprise
