#include "eventlog/chunked_codecs.h"

#include <algorithm>
#include <cstring>

namespace reprise {

Result<size_t> ChunkedBytes::Read(uint8_t* out, size_t size) {
  while (taken_ == text_.size()) {
    if (!damage().empty()) return 0;
    text_.clear();
    taken_ = 0;
    ARROW_ASSIGN_OR_RAISE(const bool more, NextChunk(&text_));
    if (!more) {
      text_.clear();
      return 0;
    }
  }
  const size_t handed = std::min(size, text_.size() - taken_);
  std::memcpy(out, text_.data() + taken_, handed);
  taken_ += handed;
  return handed;
}

Result<std::span<const uint8_t>> ChunkedBytes::PeekChunk(size_t size) {
  if (size > kChunkBytesMax) {
    Damaged(fmt::format("says that it has {} bytes", size));
    return std::span<const uint8_t>();
  }
  ARROW_ASSIGN_OR_RAISE(const auto chunk, file().Peek(size));
  if (chunk.size() == size) return chunk;
  Torn();
  return std::span<const uint8_t>();
}

bool ChunkedBytes::Damaged(std::string_view why) {
  SetDamage(fmt::format("its {} chunk at byte {} {}", codec(), position(), why));
  return false;
}

bool ChunkedBytes::Torn() {
  SetDamage(fmt::format("ends inside the {} chunk that begins at byte {}", codec(), position()));
  return false;
}

}  // namespace reprise
