// Tar archives of plain files (POSIX ustar), written and read member by member.
//
// Own code, not libarchive: Debian's needs eight more libraries (libxml2 and with it ICU among
// them), shared or static, which the program would have to carry for the one format that it writes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "dump/file.h"

namespace reprise {

/// Writes an archive to a new file. Errors name the file.
class ArchiveWriter {
 public:
  static Result<std::unique_ptr<ArchiveWriter>> Create(const std::string& path);
  /// Begins a member of `bytes` bytes (below 8 GiB); just as many follow by Write. Status::Invalid
  /// for a name that ustar cannot hold: about 255 bytes.
  Status Begin(const std::string& name, int64_t bytes);
  Status Write(std::string_view bytes);
  /// Status::Invalid where a member lacks bytes.
  Status Close();

 private:
  explicit ArchiveWriter(std::string path) : path_(std::move(path)) {}
  Status EndMember();

  std::string path_;
  LineFile file_;
  int64_t missing_ = 0;  // of the member at hand
  int64_t padding_ = 0;  // behind it
};

/// Reads an archive. Errors name the file.
class ArchiveReader {
 public:
  struct Member {
    std::string name;
    int64_t bytes = 0;
    bool plain_file = false;  ///< no folder, link, device, extended header …
  };

  static Result<std::unique_ptr<ArchiveReader>> Open(const std::string& path);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  /// The next member; nothing after the last. What was not read of the one before is left out.
  Result<std::optional<Member>> Next();
  /// Reads up to `size` bytes of the member at hand; 0 at its end.
  Result<int64_t> Read(char* bytes, int64_t size);

 private:
  ArchiveReader(std::string path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}
  Status Fill(char* bytes, int64_t size);
  Status Failed(std::string_view why) const;

  std::string path_;
  int descriptor_;
  int64_t left_ = 0;     // of the member at hand
  int64_t padding_ = 0;  // behind it
};

}  // namespace reprise
