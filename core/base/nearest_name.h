// The name that somebody who mistyped probably meant.
#pragma once

#include <cstddef>
#include <string_view>

namespace reprise {

/// Levenshtein distance: insertions, deletions and replacements of one character.
size_t EditDistance(std::string_view left, std::string_view right);

/// The first of `names` that is nearest to `name`; "" where there is none. `names` is a range of
/// what converts to std::string_view.
template <typename Names>
std::string_view NearestName(std::string_view name, const Names& names) {
  std::string_view nearest;
  size_t nearest_distance = SIZE_MAX;
  for (const auto& candidate : names) {
    const size_t distance = EditDistance(name, candidate);
    if (distance >= nearest_distance) continue;
    nearest = candidate;
    nearest_distance = distance;
  }
  return nearest;
}

}  // namespace reprise
