#include "plan/like_pattern.h"

#include "plan/replaced_text.h"
#include "plan/utf8.h"

namespace reprise {

void LikePattern::Segment::Add(std::string_view character, bool any) {
  if (any && is_any.empty()) is_any.assign(bytes.size(), false);
  bytes.append(any ? "_" : character);
  if (any || !is_any.empty()) is_any.resize(bytes.size(), any);
  ++characters;
}

std::optional<size_t> LikePattern::Segment::MatchAt(std::string_view text, size_t begin) const {
  if (is_any.empty()) {
    if (text.compare(begin, bytes.size(), bytes) != 0) return std::nullopt;
    return begin + bytes.size();
  }
  size_t at = begin;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (at >= text.size()) return std::nullopt;
    if (is_any[i]) {
      at = NextCharacter(text, at);
    } else if (text[at++] != bytes[i]) {
      return std::nullopt;
    }
  }
  return at;
}

std::optional<size_t> LikePattern::Segment::Find(std::string_view text, size_t begin) const {
  if (is_any.empty()) {
    const size_t found = text.find(bytes, begin);
    if (found == std::string_view::npos) return std::nullopt;
    return found + bytes.size();
  }
  for (size_t at = begin; at < text.size(); at = NextCharacter(text, at)) {
    if (const auto end = MatchAt(text, at)) return end;
  }
  return std::nullopt;
}

Result<LikePattern> LikePattern::Parse(std::string_view bytes, std::string_view escape) {
  const std::string pattern_text = ReplacedText(bytes);
  const std::string_view pattern = pattern_text;
  LikePattern parsed;
  parsed.segments_.emplace_back();
  for (size_t i = 0; i < pattern.size();) {
    size_t next = NextCharacter(pattern, i);
    std::string_view character = pattern.substr(i, next - i);
    bool literal = false;
    if (character == escape) {
      if (next == pattern.size()) return Status::Invalid("the pattern ends with its escape");
      i = next;
      next = NextCharacter(pattern, i);
      character = pattern.substr(i, next - i);
      if (character != "_" && character != "%" && character != escape) {
        return Status::Invalid("the pattern has its escape before '", character, "'");
      }
      literal = true;
    }
    if (!literal && character == "%") {
      parsed.segments_.emplace_back();
    } else {
      parsed.segments_.back().Add(character, !literal && character == "_");
    }
    i = next;
  }
  for (const Segment& segment : parsed.segments_) {
    parsed.reads_replacements_ |=
        !segment.is_any.empty() || segment.bytes.find("\uFFFD") != std::string::npos;
  }
  return parsed;
}

bool LikePattern::Matches(std::string_view text) const {
  if (reads_replacements_ && !IsUtf8(text)) return MatchesUtf8(ReplacedText(text));
  return MatchesUtf8(text);
}

bool LikePattern::MatchesUtf8(std::string_view text) const {
  const Segment& first = segments_.front();
  const auto start = first.MatchAt(text, 0);
  if (!start) return false;
  if (segments_.size() == 1) return *start == text.size();
  size_t at = *start;
  for (size_t i = 1; i + 1 < segments_.size(); ++i) {
    const auto end = segments_[i].Find(text, at);
    if (!end) return false;
    at = *end;
  }
  // The last segment stands at the end of the text: as many characters before it.
  const Segment& last = segments_.back();
  if (last.is_any.empty()) {
    return text.size() - at >= last.bytes.size() && text.ends_with(last.bytes);
  }
  for (; at <= text.size(); at = NextCharacter(text, at)) {
    if (CountCharacters(text.substr(at)) == last.characters) {
      const auto end = last.MatchAt(text, at);
      return end && *end == text.size();
    }
    if (at == text.size()) return false;
  }
  return false;
}

}  // namespace reprise
