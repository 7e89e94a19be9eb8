// Characters of strings as Spark's UTF8String counts them, valid UTF-8 or not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace reprise {

/// Whether all characters are ASCII.
inline bool IsAscii(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  uint64_t bits = 0;  // that some byte has
  const char* next = text.data();
  size_t left = text.size();
  for (; left >= sizeof(bits); next += sizeof(bits), left -= sizeof(bits)) {
    uint64_t word;
    std::memcpy(&word, next, sizeof(word));
    bits |= word;
  }
  for (; left > 0; ++next, --left) bits |= static_cast<uint8_t>(*next);
  return (bits & kHighBits) == 0;
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
  if (IsAscii(text)) return static_cast<int64_t>(text.size());
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
