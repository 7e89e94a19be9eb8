#include "cli/figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"

namespace reprise {

namespace {

constexpr size_t kPageColumns = 100;

std::string Line(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                 const std::vector<TextTable::Heading>& headings, int indent) {
  std::string line(indent, ' ');
  for (size_t i = 0; i < cells.size(); ++i) {
    line += headings[i].right ? fmt::format("{:>{}}", cells[i], widths[i])
                              : fmt::format("{:<{}}", cells[i], widths[i]);
    line += "  ";
  }
  line.resize(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

void PrintText(std::string_view text) { fmt::print("{}", Printable(text)); }

std::string Wrapped(std::string_view text, int indent) {
  const size_t width = kPageColumns - static_cast<size_t>(indent);
  std::string wrapped;
  while (text.size() > width) {
    size_t cut = text.rfind(' ', width);
    // A word longer than the line stays whole.
    if (cut == std::string_view::npos || cut == 0) cut = text.find(' ', width);
    if (cut == std::string_view::npos) break;
    wrapped.append(text.substr(0, cut)).append("\n").append(indent, ' ');
    text.remove_prefix(cut + 1);
  }
  return wrapped.append(text);
}

void TextTable::Add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = PrintableLine(cell);
  rows_.push_back(std::move(cells));
}

std::string TextTable::ToString(int indent) const {
  std::vector<std::string> titles;
  std::vector<size_t> widths;
  for (const Heading& heading : headings_) {
    titles.push_back(heading.text);
    widths.push_back(heading.text.size());
  }
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text = Line(titles, widths, headings_, indent);
  for (const auto& row : rows_) text += Line(row, widths, headings_, indent);
  return text;
}

}  // namespace reprise
