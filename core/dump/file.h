// Files of a dump: whole reads, new files, appended lines. Local file systems only.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// The bytes of a file. Status::IOError names the file and the system's reason.
Result<std::string> ReadWholeFile(const std::string& path);

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
