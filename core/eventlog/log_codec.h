// One file of an event log as the JSON text that Spark wrote, whichever codec it wrote it with.
//
//   codec    Spark's class             what stands in the file
//   (none)                             the lines
//   zstd     ZStdCompressionCodec      frames one after the other: every flush ends one
//   lz4      LZ4CompressionCodec       lz4-java's blocks: "LZ4Block", token, two sizes, checksum,
//   data lzf      LZFCompressionCodec       compress-lzf's chunks: "ZV", kind, sizes, data snappy
//   SnappyCompressionCodec    snappy-java's stream: a header, then chunks of size and data
//
// A file is told by its first bytes, not by its name, which users change.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "eventlog/file_bytes.h"

namespace reprise {

/// Text that is decoded while it is read, in bounded memory. A driver that dies leaves a torn end,
/// and a disk may flip a bit: what stands before is handed out, and then damage() says where it
/// ended and why.
class LogBytes {
 public:
  explicit LogBytes(std::unique_ptr<FileBytes> file) : file_(std::move(file)) {}
  virtual ~LogBytes() = default;

  /// Opens a file with the codec that its first bytes name. Status::IOError where it can't be read.
  static Result<std::unique_ptr<LogBytes>> Open(const std::string& path);

  /// Up to `size` (> 0) bytes of text to `out`; 0 where the text, or what of it can be decoded,
  /// ends.
  virtual Result<size_t> Read(uint8_t* out, size_t size) = 0;
  /// "zstd", …; "none" for plain text.
  virtual std::string_view codec() const = 0;
  /// Why the rest of the file can't be decoded; empty where nothing is wrong.
  const std::string& damage() const { return damage_; }
  /// Bytes of the file, not of the text, that were read so far.
  int64_t position() const { return file_->position(); }

 protected:
  FileBytes& file() { return *file_; }
  void SetDamage(std::string damage) { damage_ = std::move(damage); }

 private:
  std::unique_ptr<FileBytes> file_;
  std::string damage_;
};

}  // namespace reprise
