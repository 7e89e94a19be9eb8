// The three codecs of Spark that cut text into chunks, each compressed by itself.
#pragma once

#include <vector>

#include "eventlog/log_codec.h"

namespace reprise {

inline constexpr std::string_view kLz4BlockMagic = "LZ4Block";
inline constexpr std::string_view kLzfMagic = "ZV";
inline constexpr std::string_view kSnappyMagic("\x82SNAPPY\0", 8);

/// Hands out the text of one chunk after the other; a derived class decodes the next chunk.
class ChunkedBytes : public LogBytes {
 public:
  using LogBytes::LogBytes;
  Result<size_t> Read(uint8_t* out, size_t size) final;

 protected:
  /// Decodes the chunk at the file's position to `text` (which may stay empty, as for a header)
  /// and takes it. False where the file ends, or after SetDamage.
  virtual Result<bool> NextChunk(std::vector<uint8_t>* text) = 0;

  /// The `size` bytes of a chunk, or nothing, with damage set, where the file ends within.
  /// `size` above kChunkBytesMax is damage too: no writer of Spark makes such chunks.
  Result<std::span<const uint8_t>> PeekChunk(size_t size);
  /// Notes that the chunk at the position can't be decoded; always false.
  bool Damaged(std::string_view why);
  bool Torn();

 private:
  static constexpr size_t kChunkBytesMax = size_t{64} << 20;

  std::vector<uint8_t> text_;
  size_t taken_ = 0;

 protected:
  static constexpr size_t kTextBytesMax = kChunkBytesMax;
};

std::unique_ptr<LogBytes> MakeLz4BlockBytes(std::unique_ptr<FileBytes> file);
std::unique_ptr<LogBytes> MakeLzfBytes(std::unique_ptr<FileBytes> file);
std::unique_ptr<LogBytes> MakeSnappyBytes(std::unique_ptr<FileBytes> file);

}  // namespace reprise
