#include "eventlog/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/check.h"

namespace reprise {

namespace {

constexpr size_t kReadBytes = 256 * 1024;

Status CannotRead(const std::string& path) {
  return Status::IOError("cannot read ", path, ": ", std::strerror(errno));
}

}  // namespace

Result<std::unique_ptr<FileBytes>> FileBytes::Open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return CannotRead(path);
  ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::unique_ptr<FileBytes>(new FileBytes(path, descriptor));
}

FileBytes::~FileBytes() { ::close(descriptor_); }

Result<size_t> FileBytes::ReadFile(uint8_t* out, size_t size) {
  for (;;) {
    const ssize_t read = ::read(descriptor_, out, size);
    if (read >= 0) return static_cast<size_t>(read);
    if (errno != EINTR) return CannotRead(path_);
  }
}

Result<std::span<const uint8_t>> FileBytes::Peek(size_t size) {
  if (end_ - begin_ < size) {
    std::move(buffer_.begin() + begin_, buffer_.begin() + end_, buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    buffer_.resize(std::max({buffer_.size(), size, kReadBytes}));
    while (end_ < size) {
      ARROW_ASSIGN_OR_RAISE(const size_t read,
                            ReadFile(buffer_.data() + end_, buffer_.size() - end_));
      if (read == 0) break;
      end_ += read;
    }
  }
  return std::span<const uint8_t>(buffer_.data() + begin_, std::min(size, end_ - begin_));
}

Result<std::span<const uint8_t>> FileBytes::PeekSome() {
  RETURN_NOT_OK(Peek(1).status());
  return std::span<const uint8_t>(buffer_.data() + begin_, end_ - begin_);
}

void FileBytes::Skip(size_t size) {
  REPRISE_CHECK(size <= end_ - begin_, "only what was peeked can be skipped");
  begin_ += size;
  position_ += static_cast<int64_t>(size);
}

Result<size_t> FileBytes::Read(uint8_t* out, size_t size) {
  size_t taken = std::min(size, end_ - begin_);
  if (taken > 0) {
    std::memcpy(out, buffer_.data() + begin_, taken);
    begin_ += taken;
  } else {
    ARROW_ASSIGN_OR_RAISE(taken, ReadFile(out, size));
  }
  position_ += static_cast<int64_t>(taken);
  return taken;
}

}  // namespace reprise
