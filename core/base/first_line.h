// What a text of several lines says first.
#pragma once

#include <string_view>

namespace reprise {

inline std::string_view FirstLine(std::string_view text) { return text.substr(0, text.find('\n')); }

}  // namespace reprise
