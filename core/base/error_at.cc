#include "base/error_at.h"

#include <algorithm>
#include <string>

namespace reprise {

Status ErrorAt(std::string_view key, std::string_view text, size_t position,
               std::string_view what) {
  // One column a character, however many bytes it has.
  const auto columns = std::ranges::count_if(text.substr(0, position),
                                             [](unsigned char c) { return (c & 0xC0) != 0x80; });
  return Status::Invalid(key, ": ", what, " at character ", columns + 1, "\n  ", text, "\n  ",
                         std::string(static_cast<size_t>(columns), ' '), "^");
}

}  // namespace reprise
