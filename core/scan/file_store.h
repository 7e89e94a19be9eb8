// Where bytes of files come from that do not lie on a local file system. The core has readers of
// formats, not clients of stores: the plug-in reads for it, on threads of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/status.h"

namespace reprise {

/// Which content of a file it is: two of one path, length and time of modification are the same.
struct FileVersion {
  int64_t client = 0;    ///< of the file system's client, unique in the process
  int64_t length = 0;    ///< in bytes
  int64_t modified = 0;  ///< ms since 1970
  bool operator==(const FileVersion&) const = default;
};

/// A file that is being opened or read. Whoever destroys it gives its reads up: afterwards nothing
/// is written to where they were to go. Used by one thread.
class StoredFile {
 public:
  virtual ~StoredFile() = default;

  /// A read of the bytes [offset, offset + length) to `to`.
  struct Piece {
    int64_t offset = 0;
    int32_t length = 0;
    uint8_t* to = nullptr;
  };

  /// Waits for at most so many milliseconds until the file has been looked at, and its last bytes
  /// have been read if its version is not the known one. Nothing where that takes longer.
  virtual Result<std::optional<FileVersion>> AwaitOpen(int32_t milliseconds) = 0;

  /// Starts to read the pieces, which are in the file, in no certain order. Returns the number of
  /// the first one; the others have the next ones.
  virtual Result<int32_t> Start(std::span<const Piece> pieces) = 0;

  /// Waits for at most so many milliseconds; whether the piece has been read. Status::IOError says
  /// why it could not be.
  virtual Result<bool> Await(int32_t piece, int32_t milliseconds) = 0;
};

/// The files of a scan.
class FileStore {
 public:
  virtual ~FileStore() = default;

  /// Starts to open the file at `location`, a URI, and to read its last `tail_bytes` bytes, or all
  /// that it has, to the front of `tail`, unless it is found to be of the version `known`.
  virtual Result<std::unique_ptr<StoredFile>> Open(const std::string& location, uint8_t* tail,
                                                   int32_t tail_bytes,
                                                   const FileVersion& known) = 0;
};

}  // namespace reprise
