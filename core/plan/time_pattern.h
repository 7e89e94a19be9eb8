// Patterns of java.time's DateTimeFormatter, as Spark takes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// A pattern of numbers and of characters between them.
struct TimePattern {
  struct Part {
    char field = 0;  ///< y, M, d, H, m, s or S; 0: `literal`
    int width = 0;   ///< letters: digits, of y and S exactly, of others 1 for as many as needed
    std::string literal;  ///< what stands there
  };
  std::vector<Part> parts;

  /// Nothing for a pattern with another letter, another width than yyyy, one or two of M, d, H, m,
  /// s, one to six S, or with what is optional or reserved.
  static std::optional<TimePattern> Read(std::string_view pattern);

  /// Whether each text of its length that it fits is one date, perhaps with hours, minutes and
  /// seconds, whatever stands beside each other: yyyy, MM and dd, and of HH, mm and ss the first
  /// ones, each once.
  bool is_for_parsing() const;
};

}  // namespace reprise
