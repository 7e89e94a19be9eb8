#include "profile/jfr_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "dump/file.h"
#include "profile/jfr_chunk.h"

namespace reprise {

namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::string& file)
      : number_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// Up to `size` bytes; fewer at the file's end.
Result<std::vector<uint8_t>> ReadAt(const Descriptor& descriptor, int64_t offset, size_t size,
                                    const std::string& file) {
  std::vector<uint8_t> bytes(size);
  size_t have = 0;
  while (have < size) {
    const ssize_t got = pread(descriptor.number(), bytes.data() + have, size - have,
                              offset + static_cast<int64_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(file, "read", errno);
    if (got == 0) break;
    have += static_cast<size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

}  // namespace

Result<JfrExtent> ReadJfrFile(const std::string& file, int64_t offset,
                              const std::function<Status(JfrChunk&)>& take,
                              const std::function<void(const Status&)>& leave_out,
                              std::string main_event) {
  const Descriptor descriptor(file);
  struct stat facts {};
  if (descriptor.number() < 0 || fstat(descriptor.number(), &facts) != 0) {
    return SystemError(file, "read", errno);
  }
  JfrExtent extent{.end = offset};
  while (extent.end < facts.st_size) {
    const int64_t left = facts.st_size - extent.end;
    ARROW_ASSIGN_OR_RAISE(const auto head, ReadAt(descriptor, extent.end, kJfrHeaderBytes, file));
    if (head.size() < kJfrHeaderBytes && extent.end > offset) {
      extent.torn_bytes = left;
      break;
    }
    ARROW_ASSIGN_OR_RAISE(const JfrHeader header, JfrHeader::Read(head, extent.end, file));
    if (header.pools_at == 0 || header.size > left) {
      extent.torn_bytes = left;
      break;
    }
    ARROW_ASSIGN_OR_RAISE(auto bytes,
                          ReadAt(descriptor, extent.end, static_cast<size_t>(header.size), file));
    Result<JfrChunk> chunk = JfrChunk::Read(std::move(bytes), extent.end, file, main_event);
    if (chunk.ok()) {
      main_event = chunk->main_event();
      RETURN_NOT_OK(take(*chunk));
    } else if (leave_out) {
      leave_out(chunk.status());
    } else {
      return chunk.status();
    }
    extent.end += header.size;
  }
  return extent;
}

}  // namespace reprise
