// MergeTree: an aggregate function's buffers over stretches of rows of doubling length.
#pragma once

#include <memory>
#include <vector>

#include "operators/aggregate/accumulator.h"

namespace reprise {

/// Whether the function over any rows of `column`, at most `rows_max` of them, is the same to the
/// bit however buffers of some of them are merged, if in order.
bool MergesExactly(const AggregateSpec& spec, const arrow::ArrayVector& inputs, int64_t rows_max);

/// Level k has a buffer for each 2^k rows. So any stretch of n rows is merged of 2 log n buffers.
class MergeTree {
 public:
  /// Builds the tree over `row_count` rows of the function's arguments.
  static Result<MergeTree> Make(const AggregateSpec& spec, const arrow::ArrayVector& inputs,
                                int32_t row_count, arrow::MemoryPool* pool);

  /// Adds the places in `buffers()` of what makes up the rows begin … end - 1, in their order.
  void AppendPlaces(int32_t begin, int32_t end, std::vector<int32_t>* places) const;

  /// A column for each field of the function's buffer.
  const arrow::ArrayVector& buffers() const { return buffers_; }

 private:
  std::vector<int32_t> level_begins_;  // where each level begins in the buffers
  arrow::ArrayVector buffers_;
};

}  // namespace reprise
