#include "plan/replaced_text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace reprise {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Piece {
  size_t bytes = 0;
  bool is_character = false;
};

bool IsContinuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Whether `second` may follow `first` in a character of three or four bytes. Surrogates are told
// apart once they are complete.
bool MayFollow(uint8_t first, uint8_t second) {
  if (!IsContinuation(second)) return false;
  switch (first) {
    case 0xE0:
      return second >= 0xA0;
    case 0xF0:
      return second >= 0x90;
    case 0xF4:
      return second < 0x90;
    default:
      return true;
  }
}

// A character of `size` bytes, or as many bytes as could begin one.
Piece LongPiece(std::string_view rest, size_t size) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(rest[i]); };
  size_t fits = 1;
  while (fits < std::min(size, rest.size()) &&
         (fits == 1 ? MayFollow(byte(0), byte(1)) : IsContinuation(byte(fits)))) {
    ++fits;
  }
  const bool is_surrogate = size == 3 && fits == size && byte(0) == 0xED && byte(1) >= 0xA0;
  return {fits, fits == size && !is_surrogate};
}

// What stands at the beginning of `rest`, which is not empty.
Piece FirstPiece(std::string_view rest) {
  const auto first = static_cast<uint8_t>(rest[0]);
  if (first < 0x80) return {1, true};
  if (first < 0xC2 || first > 0xF4) return {1, false};
  if (first >= 0xF0) return LongPiece(rest, 4);
  if (first >= 0xE0) return LongPiece(rest, 3);
  const bool is_character = rest.size() > 1 && IsContinuation(static_cast<uint8_t>(rest[1]));
  return {is_character ? size_t{2} : size_t{1}, is_character};
}

// How many bytes at the beginning are ASCII, counted in words.
size_t AsciiPrefix(std::string_view bytes) {
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= bytes.size(); i += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, sizeof(word));
    if ((word & 0x8080808080808080) != 0) break;
  }
  return i;
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  bytes.remove_prefix(AsciiPrefix(bytes));
  while (!bytes.empty()) {
    const Piece piece = FirstPiece(bytes);
    if (!piece.is_character) return false;
    bytes.remove_prefix(piece.bytes);
  }
  return true;
}

std::string ReplacedText(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const Piece piece = FirstPiece(bytes);
    text += piece.is_character ? bytes.substr(0, piece.bytes) : kReplacement;
    bytes.remove_prefix(piece.bytes);
  }
  return text;
}

}  // namespace reprise
