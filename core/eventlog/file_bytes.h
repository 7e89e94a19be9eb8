// The raw bytes of one file of an event log, looked at before they are taken.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace reprise {

/// Reads a file from its beginning to its end once. What Peek shows stays valid until the next
/// call.
class FileBytes {
 public:
  static Result<std::unique_ptr<FileBytes>> Open(const std::string& path);
  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  /// The next `size` bytes; fewer only where the file ends before.
  Result<std::span<const uint8_t>> Peek(size_t size);
  /// The next bytes, as many as stand ready, at least one unless the file has ended.
  Result<std::span<const uint8_t>> PeekSome();
  /// Takes `size` bytes that Peek has shown.
  void Skip(size_t size);
  /// Takes up to `size` bytes to `out`; 0 at the end.
  Result<size_t> Read(uint8_t* out, size_t size);

  /// Bytes taken so far.
  int64_t position() const { return position_; }
  const std::string& path() const { return path_; }

 private:
  FileBytes(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  Result<size_t> ReadFile(uint8_t* out, size_t size);

  std::string path_;
  int descriptor_;
  int64_t position_ = 0;
  std::vector<uint8_t> buffer_;  // what was read and not yet taken: [begin_, end_)
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace reprise
