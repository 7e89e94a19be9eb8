#include "base/printable.h"

#include <fmt/format.h>

#include <iterator>

namespace reprise {

namespace {

std::string WithoutControls(std::string_view text, bool keeps_lines) {
  std::string printable;
  printable.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == 0xC2 && next >= 0x80 && next <= 0x9F) {
      fmt::format_to(std::back_inserter(printable), "\\u{:04x}", next);
      ++i;
    } else if ((byte < 0x20 || byte == 0x7F) && !(keeps_lines && byte == '\n')) {
      fmt::format_to(std::back_inserter(printable), "\\u{:04x}", byte);
    } else {
      printable += text[i];
    }
  }
  return printable;
}

}  // namespace

std::string Printable(std::string_view text) { return WithoutControls(text, true); }

std::string PrintableLine(std::string_view text) { return WithoutControls(text, false); }

}  // namespace reprise
