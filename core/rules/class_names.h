// Lists of class names, as rules and passes keep them.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace reprise {

/// Whether `names` has `name`.
template <size_t kCount>
bool Has(const std::string_view (&names)[kCount], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

}  // namespace reprise
