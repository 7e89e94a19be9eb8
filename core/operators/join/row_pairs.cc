#include "operators/join/row_pairs.h"

#include <algorithm>

namespace reprise {

int64_t PairWidths::CountWithin(const BatchBounds& bounds, const RowPairs& pairs,
                                int64_t begin) const {
  const int64_t count = std::min(bounds.rows, pairs.size() - begin);
  if (longest_ * count <= bounds.bytes) return count;
  int64_t bytes = 0;
  for (int64_t i = 0; i < count; ++i) {
    bytes += probe_[pairs.probe[begin + i]] + build_[pairs.build[begin + i]];
    if (bytes > bounds.bytes) return std::max<int64_t>(i, 1);
  }
  return count;
}

}  // namespace reprise
