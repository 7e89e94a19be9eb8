// LIKE patterns: % for any number of characters, _ for one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace reprise {

/// A pattern cut at its percent signs into segments, so that matching looks for one segment after
/// the other. Source: StringUtils.escapeLikeRegex. Spark matches what Java reads in the bytes: what
/// is not UTF-8 is U+FFFD, in the pattern and in the text.
class LikePattern {
 public:
  /// `escape`: the character that takes the meaning from % and _, and from itself. Status::Invalid
  /// for a pattern that Spark refuses: one that ends with it, or has it before anything else.
  static Result<LikePattern> Parse(std::string_view pattern, std::string_view escape);

  bool Matches(std::string_view text) const;

 private:
  bool MatchesUtf8(std::string_view text) const;

  // Characters between two percent signs.
  struct Segment {
    std::string bytes;         // each _ is one byte here
    std::vector<bool> is_any;  // a byte's character is _; empty where none is
    int64_t characters = 0;

    // The end of a match that begins at `begin`, if there is one.
    std::optional<size_t> MatchAt(std::string_view text, size_t begin) const;
    // The end of the first match at or after `begin`.
    std::optional<size_t> Find(std::string_view text, size_t begin) const;
    void Add(std::string_view character, bool any);
  };

  std::vector<Segment> segments_;  // one more than percent signs
  // It can match U+FFFD, so that it matters what is not UTF-8. Any other character is found in the
  // bytes alone, since no malformed piece takes in a byte that begins one.
  bool reads_replacements_ = false;
};

}  // namespace reprise
