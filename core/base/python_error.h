// The error that a traceback of Python ends with.
#pragma once

#include <string_view>

namespace reprise {

inline constexpr std::string_view kTracebackHeading = "Traceback (most recent call last)";

/// The last line of a text that holds a traceback, without blanks at its end. Since Spark 4.2 the
/// text of a PythonException goes on with a line of the SQLSTATE, which is left out.
inline std::string_view PythonErrorLine(std::string_view text) {
  const auto take_last = [&] {
    text = text.substr(0, text.find_last_not_of("\n ") + 1);
    const std::string_view line = text.substr(text.rfind('\n') + 1);
    text.remove_suffix(line.size());
    return line;
  };
  const std::string_view line = take_last();
  return line.starts_with(" SQLSTATE: ") ? take_last() : line;
}

}  // namespace reprise
