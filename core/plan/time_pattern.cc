#include "plan/time_pattern.h"

#include <algorithm>

#include "base/ascii.h"

namespace reprise {

namespace {

bool IsWidth(char field, int width) {
  switch (field) {
    case 'y':
      return width == 4;
    case 'S':
      return width <= 6;
    case 'M':
    case 'd':
    case 'H':
    case 'm':
    case 's':
      return width <= 2;
    default:
      return false;
  }
}

/// The text between quotes at the begin; nothing where it does not end, or has a quote in it.
std::optional<std::string> TakeQuoted(std::string_view* rest) {
  const size_t end = rest->find('\'', 1);
  if (end == std::string_view::npos || end == 1) return std::nullopt;
  std::string text(rest->substr(1, end - 1));
  rest->remove_prefix(end + 1);
  return rest->starts_with('\'') ? std::nullopt : std::optional(std::move(text));
}

}  // namespace

std::optional<TimePattern> TimePattern::Read(std::string_view pattern) {
  constexpr std::string_view kReserved = "[]{}#";
  TimePattern read;
  for (std::string_view rest = pattern; !rest.empty();) {
    const char first = rest[0];
    Part part;
    if (IsAsciiLetter(first)) {
      const size_t width = std::min(rest.find_first_not_of(first), rest.size());
      part.field = first;
      part.width = static_cast<int>(std::min<size_t>(width, 100));
      if (!IsWidth(first, part.width)) return std::nullopt;
      rest.remove_prefix(width);
    } else if (first == '\'') {
      auto text = TakeQuoted(&rest);
      if (!text) return std::nullopt;
      part.literal = *std::move(text);
    } else {
      part.literal = first;
      rest.remove_prefix(1);
    }
    const bool is_plain = std::ranges::all_of(
        part.literal, [](char c) { return static_cast<signed char>(c) >= ' '; });
    if (!is_plain || kReserved.find(first) != std::string_view::npos) return std::nullopt;
    read.parts.push_back(std::move(part));
  }
  return read;
}

bool TimePattern::is_for_parsing() const {
  const auto count = [&](char field) { return std::ranges::count(parts, field, &Part::field); };
  for (const Part& part : parts) {
    const bool is_fixed = part.field == 0 || part.width == (part.field == 'y' ? 4 : 2);
    if (!is_fixed || part.field == 'S' || (part.field != 0 && count(part.field) > 1)) return false;
  }
  const bool has_date = count('y') == 1 && count('M') == 1 && count('d') == 1;
  return has_date && count('H') >= count('m') && count('m') >= count('s');
}

}  // namespace reprise
