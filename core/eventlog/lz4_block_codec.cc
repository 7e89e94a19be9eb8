// lz4-java's LZ4BlockOutputStream: "LZ4Block", a token, the sizes of data and of text (4 bytes
// each, little-endian), the text's xxHash-32, the data. The token's upper half says whether the
// data is compressed; a block without text ends a stream, and another stream may follow.
#include <arrow/util/compression.h>
#include <xxhash.h>

#include "eventlog/chunked_codecs.h"

namespace reprise {

namespace {

constexpr size_t kHeaderBytes = 21;
constexpr uint8_t kStored = 0x10;
constexpr uint8_t kCompressed = 0x20;
constexpr uint32_t kSeed = 0x9747b28c;
// Seen through java.util.zip.Checksum, lz4-java's hash has lost its upper four bits.
constexpr uint32_t kChecksumBits = 0x0fffffff;

uint32_t LittleEndian(const uint8_t* at) {
  return uint32_t{at[0]} | uint32_t{at[1]} << 8 | uint32_t{at[2]} << 16 | uint32_t{at[3]} << 24;
}

class Lz4BlockBytes final : public ChunkedBytes {
 public:
  using ChunkedBytes::ChunkedBytes;
  std::string_view codec() const override { return "lz4"; }

 private:
  Result<bool> NextChunk(std::vector<uint8_t>* text) override {
    ARROW_ASSIGN_OR_RAISE(const auto end, file().Peek(1));
    if (end.empty()) return false;
    ARROW_ASSIGN_OR_RAISE(const auto header, PeekChunk(kHeaderBytes));
    if (header.empty()) return false;
    if (std::string_view(reinterpret_cast<const char*>(header.data()), 8) != kLz4BlockMagic) {
      return Damaged("does not begin with \"LZ4Block\"");
    }
    const uint8_t method = header[8] & 0xf0;
    const uint32_t data_bytes = LittleEndian(&header[9]);
    const uint32_t text_bytes = LittleEndian(&header[13]);
    const uint32_t checksum = LittleEndian(&header[17]);
    if (method != kStored && method != kCompressed) return Damaged("has an unknown method");
    if (text_bytes > kTextBytesMax) return Damaged("says that its text is above 64 MiB");
    ARROW_ASSIGN_OR_RAISE(const auto block, PeekChunk(kHeaderBytes + data_bytes));
    if (block.empty()) return false;
    text->resize(text_bytes);
    if (text_bytes > 0) {
      ARROW_ASSIGN_OR_RAISE(const bool decoded, Decode(method, block.subspan(kHeaderBytes), text));
      if (!decoded) return false;
      const uint32_t found = XXH32(text->data(), text->size(), kSeed);
      if (((found ^ checksum) & kChecksumBits) != 0) return Damaged("has another checksum");
    }
    file().Skip(block.size());
    return true;
  }

  Result<bool> Decode(uint8_t method, std::span<const uint8_t> data, std::vector<uint8_t>* text) {
    if (method == kStored) {
      if (data.size() != text->size()) return Damaged("has two sizes that should be equal");
      std::copy(data.begin(), data.end(), text->begin());
      return true;
    }
    if (!codec_) {
      ARROW_ASSIGN_OR_RAISE(codec_, arrow::util::Codec::Create(arrow::Compression::LZ4));
    }
    const auto decoded = codec_->Decompress(static_cast<int64_t>(data.size()), data.data(),
                                            static_cast<int64_t>(text->size()), text->data());
    if (!decoded.ok()) return Damaged("cannot be decompressed");
    if (*decoded != static_cast<int64_t>(text->size()))
      return Damaged("has less text than it says");
    return true;
  }

  std::unique_ptr<arrow::util::Codec> codec_;
};

}  // namespace

std::unique_ptr<LogBytes> MakeLz4BlockBytes(std::unique_ptr<FileBytes> file) {
  return std::make_unique<Lz4BlockBytes>(std::move(file));
}

}  // namespace reprise
