// The loop of functions that make a string for each row.
#pragma once

#include <arrow/builder.h>

#include <memory>
#include <string>

#include "base/status.h"
#include "expressions/nulls.h"

namespace reprise {

/// Appends `f(row, &text)`, where `text` is empty before, for each row that is not null.
template <typename F>
Result<std::shared_ptr<arrow::Array>> BuildTexts(const Nulls& nulls, int64_t row_count,
                                                 arrow::MemoryPool* pool, F&& f) {
  arrow::StringBuilder builder(pool);
  RETURN_NOT_OK(builder.Reserve(row_count));
  std::string text;
  for (int64_t row = 0; row < row_count; ++row) {
    if (!nulls.IsValid(row)) {
      builder.UnsafeAppendNull();
      continue;
    }
    text.clear();
    RETURN_NOT_OK(f(row, &text));
    RETURN_NOT_OK(builder.Append(text));
  }
  return builder.Finish();
}

}  // namespace reprise
