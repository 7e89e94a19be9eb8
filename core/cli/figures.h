// Figures and text as people read them in a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// To standard output, with the control characters of what others have written escaped.
void PrintText(std::string_view text);

/// Breaks text at spaces so that lines fit the 100 columns of a page; each line but the first
/// begins with `indent` spaces, and the first is taken to begin there too.
std::string Wrapped(std::string_view text, int indent);

/// Rows of cells, printed in aligned columns two spaces apart. Figures stand right, text left.
/// Control characters in cells are escaped, line ends too.
class TextTable {
 public:
  struct Heading {
    std::string text;
    bool right = false;
  };
  explicit TextTable(std::vector<Heading> headings) : headings_(std::move(headings)) {}
  void Add(std::vector<std::string> cells);
  /// Headings and rows, each line begun with `indent` spaces and ended with a newline.
  std::string ToString(int indent = 0) const;

 private:
  std::vector<Heading> headings_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace reprise
