// Two sequences side by side: what stays the same from one to the other, in its order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace reprise {

/// A step through both: indices, of which one is -1 where the other sequence has no such element.
using AlignmentStep = std::pair<int, int>;

/// Steps through all of both, in order, so that the weights of those that they have in common are
/// greatest. `weight(i, j)` is 0 where elements differ. Sequences of more than two thousand
/// elements each have nothing in common: that would take too long.
template <typename Weight>
std::vector<AlignmentStep> LongestAlignment(size_t rows, size_t columns, const Weight& weight) {
  constexpr size_t kCellsMax = 4'000'000;
  const bool is_small = (rows + 1) * (columns + 1) <= kCellsMax;
  std::vector<int> common(is_small ? (rows + 1) * (columns + 1) : 0, 0);
  const auto at = [&](size_t i, size_t j) -> int& { return common[i * (columns + 1) + j]; };
  for (size_t i = is_small ? rows : 0; i-- > 0;) {
    for (size_t j = columns; j-- > 0;) {
      at(i, j) = std::max(at(i + 1, j), at(i, j + 1));
      if (const int own = weight(i, j)) at(i, j) = std::max(at(i, j), at(i + 1, j + 1) + own);
    }
  }
  std::vector<AlignmentStep> steps;
  size_t i = 0;
  size_t j = 0;
  while (i < rows || j < columns) {
    const bool within = is_small && i < rows && j < columns;
    const int own = within ? weight(i, j) : 0;
    if (own > 0 && at(i, j) == at(i + 1, j + 1) + own) {
      steps.emplace_back(static_cast<int>(i++), static_cast<int>(j++));
    } else if (within ? at(i + 1, j) >= at(i, j + 1) : i < rows) {
      steps.emplace_back(static_cast<int>(i++), -1);
    } else {
      steps.emplace_back(-1, static_cast<int>(j++));
    }
  }
  return steps;
}

}  // namespace reprise
