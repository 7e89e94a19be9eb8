// Searches for patterns of java.util.regex, by PCRE2 where there is no shorter way.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/java_pattern.h"

namespace reprise {

/// A pattern, ready to be searched for; one object serves one task.
class JavaRegex {
 public:
  /// Nothing where PCRE2 does not take the pattern, which may be too large for it.
  static std::unique_ptr<JavaRegex> Compile(JavaPattern pattern);
  ~JavaRegex();
  JavaRegex(const JavaRegex&) = delete;
  JavaRegex& operator=(const JavaRegex&) = delete;

  const JavaPattern& pattern() const { return pattern_; }

  /// Whether it is known what Java finds in the text.
  bool Takes(std::string_view text) const;

  /// What a search has come to.
  enum class Found { kMatch, kNone, kInDoubt };
  /// Looks for the first match that begins at byte `from` of a text that it takes, or behind it.
  /// kInDoubt: it takes too many steps.
  Found Search(std::string_view text, size_t from = 0);
  /// Whether there is a match at all, which some patterns tell sooner.
  Found Matches(std::string_view text);

  /// Of the match: where it begins and ends.
  size_t begin() const { return bounds_[0]; }
  size_t end() const { return bounds_[1]; }
  /// What group number `group`, 0 being the whole, has matched; nothing where it has not.
  std::optional<std::string_view> group(std::string_view text, int group) const;

 private:
  struct Compiled;
  JavaRegex(JavaPattern pattern, std::unique_ptr<Compiled> compiled);

  Found SearchCompiled(std::string_view text, size_t from);
  /// Of a pattern of one character or a run: nothing where other characters than those of ASCII
  /// stand where they count.
  std::optional<Found> SearchCharacters(std::string_view text, size_t from);
  Found MatchesAt(size_t begin, size_t end);

  const JavaPattern pattern_;
  const std::unique_ptr<Compiled> compiled_;
  std::array<bool, 128> characters_{};  // that such a pattern finds
  const size_t* bounds_ = nullptr;
  std::vector<size_t> same_bounds_;  // of patterns all of whose groups are the whole
};

}  // namespace reprise
