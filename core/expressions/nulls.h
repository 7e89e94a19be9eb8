// Validity bitmaps of results.
#pragma once

#include <arrow/buffer.h>
#include <arrow/util/bit_util.h>

#include <memory>
#include <span>

#include "expressions/expression.h"

namespace reprise {

/// Which rows of a result are null: `bits` has a 1 for each row that is not, from bit 0; absent
/// where none is null.
struct Nulls {
  std::shared_ptr<arrow::Buffer> bits;
  int64_t count = 0;

  bool IsValid(int64_t row) const {
    return bits == nullptr || arrow::bit_util::GetBit(bits->data(), row);
  }
};

/// Whether every row of the column is null because it is a null scalar.
inline bool IsNullScalar(const Column& column) {
  return column.is_scalar() && !column.scalar->is_valid;
}

/// Whether any row may be null.
inline bool HasNulls(const Column& column) {
  return column.is_scalar() ? !column.scalar->is_valid : column.array->null_count() > 0;
}

inline bool IsValidAt(const Column& column, int64_t row) {
  return column.is_scalar() ? column.scalar->is_valid : column.array->IsValid(row);
}

/// Null where any of the columns is null. Null scalars are not to be passed.
Result<Nulls> UnionOfNulls(std::span<const Column> columns, int64_t row_count,
                           arrow::MemoryPool* pool);

/// A copy of `nulls` in which `rows`, which were valid, are null too.
Result<Nulls> WithNullAt(const Nulls& nulls, std::span<const int32_t> rows, int64_t row_count,
                         arrow::MemoryPool* pool);

}  // namespace reprise
