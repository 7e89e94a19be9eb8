// Random damage to files, for tests of readers.
#pragma once

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reprise {

using Random = std::mt19937_64;

inline size_t Below(size_t end, Random* random) {
  return end == 0 ? 0 : std::uniform_int_distribution<size_t>(0, end - 1)(*random);
}

/// A part of a text: where it begins and how long it is.
inline std::pair<size_t, size_t> Part(const std::string& text, size_t size_max, Random* random) {
  const size_t begin = Below(text.size() + 1, random);
  return {begin, Below(std::min(size_max, text.size() - begin) + 1, random)};
}

/// The beginnings of the lines.
inline std::vector<size_t> LinesOf(const std::string& text) {
  std::vector<size_t> lines = {0};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') lines.push_back(i + 1);
  }
  return lines;
}

inline void FlipBits(std::string* text, Random* random) {
  for (size_t i = 0; i <= Below(8, random) && !text->empty(); ++i) {
    (*text)[Below(text->size(), random)] ^= static_cast<char>(1 << Below(8, random));
  }
}

inline void Cut(std::string* text, Random* random) {
  text->resize(Below(text->size() + 1, random));
}

inline void Drop(std::string* text, Random* random) {
  const auto [begin, size] = Part(*text, 300, random);
  text->erase(begin, size);
}

inline void Repeat(std::string* text, Random* random) {
  const auto [begin, size] = Part(*text, 3000, random);
  const std::string part = text->substr(begin, size);
  text->insert(Below(text->size() + 1, random), part);
}

/// The beginning of a line goes on as another one does.
inline void Splice(std::string* text, Random* random) {
  const std::vector<size_t> lines = LinesOf(*text);
  const size_t from = lines[Below(lines.size(), random)] + Below(200, random);
  const size_t to = lines[Below(lines.size(), random)] + Below(200, random);
  if (from >= text->size() || to >= text->size()) return;
  *text = text->substr(0, from) + text->substr(to);
}

inline void Insert(std::string_view what, std::string* text, Random* random) {
  text->insert(Below(text->size() + 1, random), what);
}

inline void Nest(std::string* text, Random* random) {
  const size_t depth = 1 + Below(20'000, random);
  std::string nested;
  const bool objects = Below(2, random) == 0;
  for (size_t i = 0; i < depth; ++i) nested += objects ? R"({"a":)" : "[";
  Insert(nested, text, random);
}

/// In the place of a number.
inline void Enlarge(std::string* text, Random* random) {
  constexpr std::string_view kNumbers[] = {"9223372036854775807",
                                           "9223372036854775808",
                                           "-9223372036854775808",
                                           "-1",
                                           "99999999999999999999999999999999",
                                           "1e400",
                                           "0.1",
                                           "-0",
                                           "2147483648",
                                           "null",
                                           "\"1\"",
                                           "[]",
                                           "{}"};
  const size_t begin = text->find_first_of("0123456789", Below(text->size() + 1, random));
  if (begin == std::string::npos) return;
  const size_t end = text->find_first_not_of("0123456789", begin);
  text->replace(begin, (end == std::string::npos ? text->size() : end) - begin,
                kNumbers[Below(std::size(kNumbers), random)]);
}

inline void SpoilText(std::string* text, Random* random) {
  constexpr std::string_view kSpoilt[] = {"\xC0\x80", "\xED\xA0\x80", "\xF5",       "\xE2\x82",
                                          "\\ud800",  "\\u00",        "\\",         "\"",
                                          "\n",       "\r",           "{\"Event\":"};
  Insert(kSpoilt[Below(std::size(kSpoilt), random)], text, random);
}

inline void Litter(std::string* text, Random* random) {
  std::string bytes;
  for (size_t i = 0; i <= Below(100, random); ++i) {
    bytes += static_cast<char>(Below(256, random));
  }
  Insert(bytes, text, random);
}

/// One to three of these.
inline void Damage(std::string* text, Random* random) {
  constexpr void (*kMutations[])(std::string*, Random*) = {
      FlipBits, Cut, Drop, Repeat, Splice, Nest, Enlarge, Enlarge, SpoilText, Litter};
  for (size_t i = 0; i <= Below(3, random); ++i) {
    kMutations[Below(std::size(kMutations), random)](text, random);
  }
}

}  // namespace reprise
