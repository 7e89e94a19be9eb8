// Characters of strings as Spark's UTF8String counts them, valid UTF-8 or not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace reprise {

/// Whether all characters are ASCII.
inline bool IsAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<uint8_t>(c) < 0x80; });
}

/// Bytes of the character that `first` begins; 1 for what begins none
/// (UTF8String.numBytesForFirstByte).
inline size_t CharacterBytes(char first) {
  const auto byte = static_cast<uint8_t>(first);
  if (byte < 0xC2) return 1;
  if (byte < 0xE0) return 2;
  if (byte < 0xF0) return 3;
  return byte < 0xF5 ? 4 : 1;
}

/// Where the character after the one at `position` begins; at most the string's end.
inline size_t NextCharacter(std::string_view text, size_t position) {
  return std::min(position + CharacterBytes(text[position]), text.size());
}

inline int64_t CountCharacters(std::string_view text) {
  int64_t count = 0;
  for (size_t i = 0; i < text.size(); i = NextCharacter(text, i)) ++count;
  return count;
}

/// As many of the first characters as `bytes_max` bytes have room for.
inline std::string_view FirstCharacters(std::string_view text, size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  size_t end = 0;
  for (size_t next = 0; next <= bytes_max; next = NextCharacter(text, next)) end = next;
  return text.substr(0, end);
}

}  // namespace reprise
