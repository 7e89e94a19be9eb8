// The first row in which two streams of batches differ.
#pragma once

#include <arrow/memory_pool.h>

#include <optional>
#include <string>

#include "dump/dump_input.h"

namespace reprise {

/// Where two streams part. Values as Arrow prints them; "no row" where a stream has ended.
struct FirstDifference {
  int64_t row = 0;            ///< from 0, in the order of the streams
  std::optional<int> column;  ///< the first that differs; absent where a stream has ended
  std::string recorded;
  std::string replayed;
};

/// Pulls both streams side by side, a batch of each at a time, until they differ or `rows_max` rows
/// were equal. Batch boundaries and dictionary encoding do not count; NaNs are equal, 0.0 and -0.0
/// are not.
Result<std::optional<FirstDifference>> FindFirstDifference(const BatchSource& recorded,
                                                           const BatchSource& replayed,
                                                           int64_t rows_max,
                                                           arrow::MemoryPool* pool);

}  // namespace reprise
