// Columns of another Arrow implementation. jni/ implements it over Java's vectors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/batch.h"
#include "base/status.h"

namespace reprise {

/// Rows of columns that somebody else holds, as the buffers of Arrow's columnar format: of each
/// column the validity bits, which may be of no bytes where there are no nulls, the offsets where
/// its values are of various lengths, and the values.
struct ForeignColumns {
  int64_t rows = 0;
  std::vector<std::span<const uint8_t>> buffers;
};

/// Where such columns come from, with batches of the task's own that belong beside them.
class ArrowSource {
 public:
  virtual ~ArrowSource() = default;
  /// The next columns, or nothing at the end. They are valid until the next call. May block.
  virtual Result<std::optional<ForeignColumns>> Next() = 0;
  /// The next batch that has been put aside to stand beside the columns; nothing where there is
  /// none.
  virtual Result<std::optional<Batch>> Kept() = 0;
};

}  // namespace reprise
