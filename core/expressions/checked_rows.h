// The loop for functions that have no value for some rows: null or an error.
#pragma once

#include <arrow/buffer.h>

#include <memory>
#include <utility>
#include <vector>

#include "expressions/nulls.h"
#include "expressions/values.h"

namespace reprise {

/// A result of a fixed width with its nulls.
struct FixedValues {
  std::shared_ptr<arrow::Buffer> values;
  Nulls nulls;
};

/// Calls `f(row, &value)` for each row that is not null. Where it returns false the row becomes
/// null, or, under `raise`, the first such row's `error(row)` is returned.
template <typename T, typename F, typename E>
Result<FixedValues> CheckedRows(const Nulls& nulls, int64_t row_count, bool raise,
                                arrow::MemoryPool* pool, F&& f, E&& error) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                        arrow::AllocateBuffer(row_count * static_cast<int64_t>(sizeof(T)), pool));
  T* out = reinterpret_cast<T*>(buffer->mutable_data());
  std::vector<int32_t> failed;
  for (int64_t row = 0; row < row_count; ++row) {
    T value{};
    if (nulls.IsValid(row) && !f(row, &value)) {
      if (raise) return error(row);
      failed.push_back(static_cast<int32_t>(row));
      value = T{};
    }
    out[row] = value;
  }
  ARROW_ASSIGN_OR_RAISE(Nulls all_nulls, WithNullAt(nulls, failed, row_count, pool));
  return FixedValues{std::move(buffer), std::move(all_nulls)};
}

/// A buffer of `row_count` values `f(row)`: for functions that always have a value, nulls included.
template <typename T, typename F>
Result<std::shared_ptr<arrow::Buffer>> AllRowsOf(int64_t row_count, arrow::MemoryPool* pool,
                                                 F&& f) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                        arrow::AllocateBuffer(row_count * static_cast<int64_t>(sizeof(T)), pool));
  T* out = reinterpret_cast<T*>(buffer->mutable_data());
  for (int64_t row = 0; row < row_count; ++row) out[row] = f(row);
  return buffer;
}

}  // namespace reprise
