// Pairs of rows of a join's two sides.
#pragma once

#include <cstdint>
#include <span>

#include "base/batch_bounds.h"
#include "operators/pool_vector.h"

namespace reprise {

/// Pairs of rows: of the probe batch by physical index, and of the build side. Below 0: no row.
struct RowPairs {
  explicit RowPairs(arrow::MemoryPool* pool) : probe(pool), build(pool) {}

  int64_t size() const { return probe.size(); }
  /// `count` of the pairs, from `begin` on.
  std::span<const int32_t> probe_rows(int64_t begin, int64_t count) const {
    return {probe.data() + begin, static_cast<size_t>(count)};
  }
  std::span<const int32_t> build_rows(int64_t begin, int64_t count) const {
    return {build.data() + begin, static_cast<size_t>(count)};
  }
  std::span<const int32_t> probe_rows() const { return probe_rows(0, size()); }
  std::span<const int32_t> build_rows() const { return build_rows(0, size()); }

  PoolVector<int32_t> probe;
  PoolVector<int32_t> build;
};

/// What pairs take once their columns stand side by side.
class PairWidths {
 public:
  /// `build_longest`: no build row has more bytes.
  PairWidths(RowWidths probe, RowWidths build, int64_t build_longest)
      : probe_(std::move(probe)),
        build_(std::move(build)),
        longest_(probe_.LongestRow() + build_longest) {}

  /// How many of the pairs from `begin` on are within `bounds`; one at least, where there is one.
  int64_t CountWithin(const BatchBounds& bounds, const RowPairs& pairs, int64_t begin) const;

 private:
  RowWidths probe_;
  RowWidths build_;
  int64_t longest_;
};

}  // namespace reprise
