#include "dump/archive_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace reprise {

namespace {

constexpr int64_t kBlockBytes = 512;
constexpr int64_t kMemberBytesMax = (int64_t{1} << 33) - 1;  // eleven octal digits

// The header of a member, as POSIX lays it out; numbers are octal text.
struct ArchiveHeader {
  char name[100];
  char mode[8];
  char owner[8];
  char group[8];
  char size[12];
  char time[12];
  char checksum[8];
  char kind;
  char link[100];
  char magic[6];
  char version[2];
  char owner_name[32];
  char group_name[32];
  char device_major[8];
  char device_minor[8];
  char prefix[155];
  char unused[12];
};
static_assert(sizeof(ArchiveHeader) == kBlockBytes);

constexpr char kArchiveMagic[] = "ustar";

int64_t PaddingOf(int64_t bytes) { return (kBlockBytes - bytes % kBlockBytes) % kBlockBytes; }

template <size_t kSize>
void SetOctal(char (&field)[kSize], int64_t value) {
  for (size_t i = kSize - 1; i-- > 0; value /= 8) field[i] = static_cast<char>('0' + value % 8);
  field[kSize - 1] = '\0';
}

template <size_t kSize>
std::optional<int64_t> Octal(const char (&field)[kSize]) {
  int64_t value = 0;
  size_t i = 0;
  for (; i < kSize && field[i] >= '0' && field[i] <= '7'; ++i) value = value * 8 + field[i] - '0';
  if (i == 0 || (i < kSize && field[i] != '\0' && field[i] != ' ')) return std::nullopt;
  return value;
}

template <size_t kSize>
std::string Text(const char (&field)[kSize]) {
  return std::string(field, ::strnlen(field, kSize));
}

// The sum of the header's bytes, those of the sum itself as blanks.
int64_t SumOf(ArchiveHeader header) {
  std::ranges::fill(header.checksum, ' ');
  int64_t sum = 0;
  for (const unsigned char byte : std::string_view(reinterpret_cast<char*>(&header), kBlockBytes)) {
    sum += byte;
  }
  return sum;
}

// Cuts a long name at a slash; false where it cannot be cut to fit.
bool SetName(const std::string& name, ArchiveHeader* header) {
  size_t begin = 0;
  if (name.size() > sizeof(header->name)) {
    const size_t slash = name.find('/', name.size() - sizeof(header->name) - 1);
    if (slash == std::string::npos || slash > sizeof(header->prefix)) return false;
    std::memcpy(header->prefix, name.data(), slash);
    begin = slash + 1;
  }
  std::memcpy(header->name, name.data() + begin, name.size() - begin);
  return true;
}

}  // namespace

Result<std::unique_ptr<ArchiveWriter>> ArchiveWriter::Create(const std::string& path) {
  std::unique_ptr<ArchiveWriter> writer(new ArchiveWriter(path));
  ARROW_ASSIGN_OR_RAISE(writer->file_, LineFile::Create(path));
  return writer;
}

Status ArchiveWriter::Begin(const std::string& name, int64_t bytes) {
  RETURN_NOT_OK(EndMember());
  ArchiveHeader header{};
  if (!SetName(name, &header) || bytes > kMemberBytesMax) {
    return Status::Invalid(path_, ": ", name, " of ", bytes, " bytes does not fit into an archive");
  }
  SetOctal(header.mode, 0644);
  SetOctal(header.owner, 0);
  SetOctal(header.group, 0);
  SetOctal(header.size, bytes);
  SetOctal(header.time, 0);
  header.kind = '0';
  std::memcpy(header.magic, kArchiveMagic, sizeof(kArchiveMagic));
  std::memcpy(header.version, "00", 2);
  SetOctal(header.device_major, 0);
  SetOctal(header.device_minor, 0);
  SetOctal(header.checksum, SumOf(header));
  missing_ = bytes;
  padding_ = PaddingOf(bytes);
  return file_.Append({reinterpret_cast<const char*>(&header), kBlockBytes});
}

Status ArchiveWriter::Write(std::string_view bytes) {
  missing_ -= static_cast<int64_t>(bytes.size());
  return file_.Append(bytes);
}

Status ArchiveWriter::EndMember() {
  if (missing_ != 0) {
    return Status::Invalid(path_, ": a file changed while it was packed: pack again");
  }
  const std::array<char, kBlockBytes> zeros{};
  return file_.Append({zeros.data(), static_cast<size_t>(std::exchange(padding_, 0))});
}

Status ArchiveWriter::Close() {
  RETURN_NOT_OK(EndMember());
  const std::array<char, 2 * kBlockBytes> zeros{};
  RETURN_NOT_OK(file_.Append({zeros.data(), zeros.size()}));
  return file_.Close();
}

Result<std::unique_ptr<ArchiveReader>> ArchiveReader::Open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(path, "open", errno);
  return std::unique_ptr<ArchiveReader>(new ArchiveReader(path, descriptor));
}

ArchiveReader::~ArchiveReader() { ::close(descriptor_); }

Result<std::optional<ArchiveReader::Member>> ArchiveReader::Next() {
  std::array<char, 1 << 16> skipped;
  for (left_ += std::exchange(padding_, 0); left_ > 0;) {
    const int64_t size = std::min<int64_t>(left_, skipped.size());
    RETURN_NOT_OK(Fill(skipped.data(), size));
    left_ -= size;
  }
  ArchiveHeader header{};
  RETURN_NOT_OK(Fill(reinterpret_cast<char*>(&header), kBlockBytes));
  const std::string_view block(reinterpret_cast<const char*>(&header), kBlockBytes);
  if (std::ranges::all_of(block, [](char c) { return c == '\0'; })) return std::nullopt;
  if (Text(header.magic) != kArchiveMagic) return Failed("a member has no ustar header");
  if (Octal(header.checksum) != SumOf(header)) return Failed("a member's header has changed");
  const auto size = Octal(header.size);
  if (!size) return Failed("a member has no size");
  left_ = *size;
  padding_ = PaddingOf(*size);
  const std::string prefix = Text(header.prefix);
  const bool plain = (header.kind == '0' || header.kind == '\0') && Text(header.link).empty();
  return Member{(prefix.empty() ? "" : prefix + "/") + Text(header.name), *size, plain};
}

Result<int64_t> ArchiveReader::Read(char* bytes, int64_t size) {
  const int64_t wanted = std::min(size, left_);
  RETURN_NOT_OK(Fill(bytes, wanted));
  left_ -= wanted;
  return wanted;
}

Status ArchiveReader::Fill(char* bytes, int64_t size) {
  while (size > 0) {
    const ssize_t read = ::read(descriptor_, bytes, static_cast<size_t>(size));
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) return SystemError(path_, "read", errno);
    if (read == 0) return Failed("it ends too early");
    bytes += read;
    size -= read;
  }
  return Status::OK();
}

Status ArchiveReader::Failed(std::string_view why) const {
  return Status::Invalid(path_, " is damaged, or no file that `reprise pack` wrote: ", why);
}

}  // namespace reprise
