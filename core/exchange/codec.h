// How the buffers of a block are compressed.
#pragma once

#include <arrow/util/compression.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// The numbers are those in a block's header.
enum class Codec : uint8_t { kNone = 0, kLz4 = 1, kZstd = 2 };

/// "none", "lz4" or "zstd"; anything else is Status::Invalid that names it.
Result<Codec> CodecFromName(std::string_view name);
std::string_view NameOf(Codec codec);

/// Compresses and decompresses buffers with one codec. Used by one thread at a time.
class Compressor {
 public:
  static Result<std::unique_ptr<Compressor>> Make(Codec codec);

  Codec codec() const { return codec_; }
  /// The most bytes that compressing `bytes` can give.
  int64_t SizeMax(int64_t bytes) const;
  /// Compresses `raw` to `out`, which has SizeMax(raw.size()) bytes; returns how many were written.
  /// Not for Codec::kNone.
  Result<int64_t> Compress(std::span<const uint8_t> raw, uint8_t* out);
  /// Decompresses `stored` to `out`; it must give exactly `raw_bytes`. Not for Codec::kNone.
  Status Decompress(std::span<const uint8_t> stored, uint8_t* out, int64_t raw_bytes);

 private:
  Compressor(Codec codec, std::unique_ptr<arrow::util::Codec> arrow_codec)
      : codec_(codec), arrow_codec_(std::move(arrow_codec)) {}

  Codec codec_;
  std::unique_ptr<arrow::util::Codec> arrow_codec_;  // null for kNone
};

}  // namespace reprise
