// Files of a dump: whole reads, new files, appended lines. Local file systems only. What is made is
// its owner's alone (0600): it holds data.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// A file of a dump that is larger is not read: of none is so much to be held at once.
inline constexpr int64_t kFileBytesMax = int64_t{1} << 32;

/// The bytes of a plain file. Status::IOError names the file and the system's reason;
/// Status::Invalid says that it is no plain file, or larger than `bytes_max`.
Result<std::string> ReadWholeFile(const std::string& path, int64_t bytes_max = kFileBytesMax);

/// Writes a file that must not exist yet. Status::IOError names the file and the system's reason.
Status WriteNewFile(const std::string& path, std::string_view bytes);

/// A new file that grows by whole lines, each of them in the file when Append returns.
class LineFile {
 public:
  LineFile() = default;
  LineFile(LineFile&& other) noexcept;
  LineFile& operator=(LineFile&& other) noexcept;
  ~LineFile();

  static Result<LineFile> Create(std::string path);
  Status Append(std::string_view line);
  Status Close();

 private:
  std::string path_;
  int descriptor_ = -1;
};

/// Status::IOError "PATH: cannot ACTION: the reason that errno holds".
Status SystemError(std::string_view path, std::string_view action, int error);

}  // namespace reprise
