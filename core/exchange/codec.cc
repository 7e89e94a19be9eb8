#include "exchange/codec.h"

#include "base/check.h"

namespace reprise {

namespace {

struct NamedCodec {
  Codec codec;
  std::string_view name;
  arrow::Compression::type arrow;
};

// Arrow's LZ4 is the plain block format, without a frame around it.
constexpr NamedCodec kCodecs[] = {
    {Codec::kNone, "none", arrow::Compression::UNCOMPRESSED},
    {Codec::kLz4, "lz4", arrow::Compression::LZ4},
    {Codec::kZstd, "zstd", arrow::Compression::ZSTD},
};

const NamedCodec* Find(Codec codec) {
  for (const NamedCodec& named : kCodecs) {
    if (named.codec == codec) return &named;
  }
  return nullptr;
}

}  // namespace

Result<Codec> CodecFromName(std::string_view name) {
  for (const NamedCodec& named : kCodecs) {
    if (named.name == name) return named.codec;
  }
  return Status::Invalid("there is no codec \"", name, "\"; expected lz4, zstd or none");
}

std::string_view NameOf(Codec codec) {
  const NamedCodec* named = Find(codec);
  return named == nullptr ? "unknown" : named->name;
}

Result<std::unique_ptr<Compressor>> Compressor::Make(Codec codec) {
  const NamedCodec* named = Find(codec);
  if (named == nullptr) {
    return Status::Invalid("there is no codec number ", static_cast<int>(codec));
  }
  std::unique_ptr<arrow::util::Codec> arrow_codec;
  if (codec != Codec::kNone) {
    ARROW_ASSIGN_OR_RAISE(arrow_codec, arrow::util::Codec::Create(named->arrow));
  }
  return std::unique_ptr<Compressor>(new Compressor(codec, std::move(arrow_codec)));
}

int64_t Compressor::SizeMax(int64_t bytes) const {
  return arrow_codec_ ? arrow_codec_->MaxCompressedLen(bytes, nullptr) : bytes;
}

Result<int64_t> Compressor::Compress(std::span<const uint8_t> raw, uint8_t* out) {
  REPRISE_CHECK(arrow_codec_ != nullptr, "codec none compresses nothing");
  const auto bytes = static_cast<int64_t>(raw.size());
  return arrow_codec_->Compress(bytes, raw.data(), SizeMax(bytes), out);
}

Status Compressor::Decompress(std::span<const uint8_t> stored, uint8_t* out, int64_t raw_bytes) {
  REPRISE_CHECK(arrow_codec_ != nullptr, "codec none decompresses nothing");
  ARROW_ASSIGN_OR_RAISE(
      const int64_t given,
      arrow_codec_->Decompress(static_cast<int64_t>(stored.size()), stored.data(), raw_bytes, out));
  if (given == raw_bytes) return Status::OK();
  return Status::IOError("decompressing gives ", given, " bytes, expected ", raw_bytes);
}

}  // namespace reprise
