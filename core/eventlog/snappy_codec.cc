// snappy-java's SnappyOutputStream: a header of 16 bytes (its name and two versions), then chunks:
// the data's size (4 bytes, big-endian) and the data, which tells its text's size itself. Where
// streams were put one after the other, the header comes again.
#include <arrow/util/compression.h>

#include <optional>

#include "eventlog/chunked_codecs.h"

namespace reprise {

namespace {

constexpr size_t kStreamHeaderBytes = 16;
constexpr size_t kSizeBytes = 4;

uint32_t BigEndian32(const uint8_t* at) {
  return uint32_t{at[0]} << 24 | uint32_t{at[1]} << 16 | uint32_t{at[2]} << 8 | uint32_t{at[3]};
}

// The text's size, which begins the data in seven bits a byte.
std::optional<size_t> TextBytes(std::span<const uint8_t> data) {
  size_t size = 0;
  for (size_t i = 0; i < data.size() && i < 5; ++i) {
    size |= size_t{data[i] & 0x7fu} << (7 * i);
    if (data[i] < 0x80) return size;
  }
  return std::nullopt;
}

class SnappyBytes final : public ChunkedBytes {
 public:
  using ChunkedBytes::ChunkedBytes;
  std::string_view codec() const override { return "snappy"; }

 private:
  Result<bool> NextChunk(std::vector<uint8_t>* text) override {
    ARROW_ASSIGN_OR_RAISE(const auto end, file().Peek(kSnappyMagic.size()));
    if (end.empty()) return false;
    const std::string_view begin(reinterpret_cast<const char*>(end.data()), end.size());
    if (begin.front() == kSnappyMagic.front()) return TakeHeader(begin);
    ARROW_ASSIGN_OR_RAISE(const auto size, PeekChunk(kSizeBytes));
    if (size.empty()) return false;
    ARROW_ASSIGN_OR_RAISE(const auto chunk,
                          PeekChunk(kSizeBytes + size_t{BigEndian32(size.data())}));
    if (chunk.empty()) return false;
    const auto data = chunk.subspan(kSizeBytes);
    const std::optional<size_t> text_bytes = TextBytes(data);
    if (!text_bytes || *text_bytes > kTextBytesMax) return Damaged("has no text size");
    text->resize(*text_bytes);
    if (!codec_) {
      ARROW_ASSIGN_OR_RAISE(codec_, arrow::util::Codec::Create(arrow::Compression::SNAPPY));
    }
    const auto decoded = codec_->Decompress(static_cast<int64_t>(data.size()), data.data(),
                                            static_cast<int64_t>(text->size()), text->data());
    if (!decoded.ok()) return Damaged("cannot be decompressed");
    file().Skip(chunk.size());
    return true;
  }

  Result<bool> TakeHeader(std::string_view begin) {
    if (begin != kSnappyMagic.substr(0, begin.size())) return Damaged("has an unknown header");
    ARROW_ASSIGN_OR_RAISE(const auto header, PeekChunk(kStreamHeaderBytes));
    if (header.empty()) return false;
    file().Skip(header.size());
    return true;
  }

  std::unique_ptr<arrow::util::Codec> codec_;
};

}  // namespace

std::unique_ptr<LogBytes> MakeSnappyBytes(std::unique_ptr<FileBytes> file) {
  return std::make_unique<SnappyBytes>(std::move(file));
}

}  // namespace reprise
