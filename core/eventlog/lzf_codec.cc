// compress-lzf's LZFOutputStream: "ZV", a kind, the data's size, for compressed data the text's
// size (2 bytes each, big-endian), the data.
#include <cstring>

#include "eventlog/chunked_codecs.h"

namespace reprise {

namespace {

constexpr size_t kStoredHeaderBytes = 5;
constexpr size_t kCompressedHeaderBytes = 7;

size_t BigEndian16(const uint8_t* at) { return size_t{at[0]} << 8 | at[1]; }

// LZF: a control byte below 32 begins that many literals and one; any other one names a piece of
// what was written before, by its length (upper three bits and, where all are set, the next byte)
// and its distance (lower five bits and one more byte). False where data or text overrun.
bool DecompressLzf(std::span<const uint8_t> data, std::vector<uint8_t>* text) {
  size_t in = 0;
  size_t out = 0;
  while (in < data.size()) {
    const size_t control = data[in++];
    if (control < 32) {
      const size_t literals = control + 1;
      if (literals > data.size() - in || literals > text->size() - out) return false;
      std::memcpy(text->data() + out, data.data() + in, literals);
      in += literals;
      out += literals;
      continue;
    }
    size_t length = control >> 5;
    if (length == 7) {
      if (in == data.size()) return false;
      length += data[in++];
    }
    length += 2;
    if (in == data.size()) return false;
    const size_t distance = ((control & 0x1f) << 8 | data[in++]) + 1;
    if (distance > out || length > text->size() - out) return false;
    // The piece may reach into what it is itself writing: byte by byte.
    for (; length > 0; --length, ++out) (*text)[out] = (*text)[out - distance];
  }
  return out == text->size();
}

class LzfBytes final : public ChunkedBytes {
 public:
  using ChunkedBytes::ChunkedBytes;
  std::string_view codec() const override { return "lzf"; }

 private:
  Result<bool> NextChunk(std::vector<uint8_t>* text) override {
    ARROW_ASSIGN_OR_RAISE(const auto end, file().Peek(1));
    if (end.empty()) return false;
    ARROW_ASSIGN_OR_RAISE(const auto begin, PeekChunk(kStoredHeaderBytes));
    if (begin.empty()) return false;
    if (begin[0] != 'Z' || begin[1] != 'V') return Damaged("does not begin with \"ZV\"");
    const uint8_t kind = begin[2];
    if (kind > 1) return Damaged("is of an unknown kind");
    const size_t header_bytes = kind == 0 ? kStoredHeaderBytes : kCompressedHeaderBytes;
    ARROW_ASSIGN_OR_RAISE(const auto chunk, PeekChunk(header_bytes + BigEndian16(&begin[3])));
    if (chunk.empty()) return false;
    const auto data = chunk.subspan(header_bytes);
    if (kind == 0) {
      text->assign(data.begin(), data.end());
    } else {
      text->resize(BigEndian16(&chunk[5]));
      if (!DecompressLzf(data, text)) return Damaged("cannot be decompressed");
    }
    file().Skip(chunk.size());
    return true;
  }
};

}  // namespace

std::unique_ptr<LogBytes> MakeLzfBytes(std::unique_ptr<FileBytes> file) {
  return std::make_unique<LzfBytes>(std::move(file));
}

}  // namespace reprise
