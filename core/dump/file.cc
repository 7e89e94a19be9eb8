#include "dump/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/denied_access.h"

namespace reprise {

namespace {

constexpr size_t kReadBytes = 1 << 16;

Result<int> CreateNew(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return SystemError(path, "create", errno);
  return descriptor;
}

Status CheckPlain(const std::string& path, int descriptor, int64_t bytes_max) {
  struct stat found {};
  if (::fstat(descriptor, &found) != 0) return SystemError(path, "look at", errno);
  if (S_ISDIR(found.st_mode)) return SystemError(path, "read", EISDIR);
  if (!S_ISREG(found.st_mode)) return Status::Invalid(path, " is no plain file");
  if (found.st_size <= bytes_max) return Status::OK();
  return Status::Invalid(path, " has ", found.st_size, " bytes, more than the ", bytes_max,
                         " that are read");
}

Status WriteAll(const std::string& path, int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError(path, "write", errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return Status::OK();
}

}  // namespace

Status SystemError(std::string_view path, std::string_view action, int error) {
  return Status::IOError(path, ": cannot ", action, ": ", std::strerror(error),
                         DenialText(std::string(path), error));
}

Result<std::string> ReadWholeFile(const std::string& path, int64_t bytes_max) {
  // Without waiting, as for the other end of a pipe.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return SystemError(path, "open", errno);
  std::string bytes;
  if (Status plain = CheckPlain(path, descriptor, bytes_max); !plain.ok()) {
    ::close(descriptor);
    return plain;
  }
  while (true) {
    const size_t size = bytes.size();
    bytes.resize(size + kReadBytes);
    const ssize_t read = ::read(descriptor, bytes.data() + size, kReadBytes);
    const int error = errno;
    bytes.resize(size + (read > 0 ? static_cast<size_t>(read) : 0));
    if (read > 0 || (read < 0 && error == EINTR)) continue;
    ::close(descriptor);
    if (read < 0) return SystemError(path, "read", error);
    return bytes;
  }
}

Status WriteNewFile(const std::string& path, std::string_view bytes) {
  ARROW_ASSIGN_OR_RAISE(LineFile file, LineFile::Create(path));
  RETURN_NOT_OK(file.Append(bytes));
  return file.Close();
}

LineFile::LineFile(LineFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

LineFile& LineFile::operator=(LineFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

LineFile::~LineFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<LineFile> LineFile::Create(std::string path) {
  LineFile file;
  ARROW_ASSIGN_OR_RAISE(file.descriptor_, CreateNew(path));
  file.path_ = std::move(path);
  return file;
}

Status LineFile::Append(std::string_view line) { return WriteAll(path_, descriptor_, line); }

Status LineFile::Close() {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor >= 0 && ::close(descriptor) != 0) return SystemError(path_, "close", errno);
  return Status::OK();
}

}  // namespace reprise
