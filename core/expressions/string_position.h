// Where a string begins in another.
#pragma once

#include <cstdint>
#include <string_view>

#include "plan/utf8.h"

namespace reprise {

/// The number, from 1, of the character of `text` at which `wanted` first begins, not before
/// character `start`; 0 where there is none or `start` is below 1 (Spark's UTF8String.indexOf,
/// which looks only where characters begin).
inline int32_t PositionFrom(std::string_view text, std::string_view wanted, int32_t start) {
  if (start < 1) return 0;
  // Found at once, wherever the search begins.
  if (wanted.empty()) return 1;
  size_t begin = 0;
  int32_t position = 1;
  for (; begin < text.size() && position < start; ++position) begin = NextCharacter(text, begin);
  for (; begin + wanted.size() <= text.size(); begin = NextCharacter(text, begin), ++position) {
    if (text.substr(begin, wanted.size()) == wanted) return position;
  }
  return 0;
}

}  // namespace reprise
