// Regular expressions of java.util.regex that PCRE2 matches alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// A pattern of which PCRE2 finds the matches that Java's Pattern (without flags) finds, of texts
/// that are UTF-8, are not among those told apart below, and do not exhaust Java's stack.
struct JavaPattern {
  std::string pcre;           ///< the same in PCRE2's syntax
  int groups = 0;             ///< that capture
  bool can_be_empty = false;  ///< it may match no characters
  bool is_for_ascii = false;  ///< of texts with other characters it is not known what Java finds
  bool asks_for_end = false;  ///< the same of texts whose last character ends a line
  /// Where the pattern is nothing but characters: these.
  std::optional<std::string> literal;
  /// Where it is characters and `.*`, which may match nothing, between them: these; else empty.
  std::vector<std::string> pieces;
  /// It is one character of some, alone or in groups.
  bool is_one_character = false;
  /// It is as many of them as there are, one at least (`[a-z]+`).
  bool is_run = false;

  /// Nothing for a pattern with anything of which it is not sure that both read it alike: look
  /// around, references to groups, possessive quantifiers, quantifiers of what can be empty, flags
  /// but a leading (?i), classes within classes, classes of Unicode.
  static std::optional<JavaPattern> Read(std::string_view pattern);
};

/// Whether the text's last character ends a line for Java's `$`.
bool EndsLine(std::string_view text);

}  // namespace reprise
