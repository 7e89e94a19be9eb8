#include "dump/pack.h"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>

#include "dump/archive_file.h"
#include "dump/dump_path.h"
#include "dump/file.h"
#include "dump/reader.h"
#include "dump/sealed_json.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

constexpr char kPackMetaName[] = "pack.meta";
constexpr size_t kBufferBytes = 1 << 20;
constexpr int64_t kPackMetaBytesMax = int64_t{256} << 20;

struct PackedFile {
  std::string name;  // below the archive's root: "loreId-5/plan.meta"
  int64_t bytes = 0;
  uint64_t checksum = 0;
};

// XXH3-64 of bytes that come in pieces.
class RunningChecksum {
 public:
  RunningChecksum() { XXH3_64bits_reset(state_.get()); }
  void Add(std::string_view bytes) { XXH3_64bits_update(state_.get(), bytes.data(), bytes.size()); }
  uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_{XXH3_createState(),
                                                                  XXH3_freeState};
};

// Gives the bytes of a file to `take`, a buffer at a time.
Status ReadInPieces(const std::string& path, const std::function<Status(std::string_view)>& take) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return SystemError(path, "open", errno);
  const auto buffer = std::make_unique<char[]>(kBufferBytes);
  Status status;
  while (status.ok()) {
    const ssize_t read = ::read(descriptor, buffer.get(), kBufferBytes);
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) status = SystemError(path, "read", errno);
    if (read <= 0) break;
    status = take({buffer.get(), static_cast<size_t>(read)});
  }
  ::close(descriptor);
  return status;
}

// "Nothing of that name yet", for what is to be made.
Status CheckAbsent(const std::string& path) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return Status::OK();
  return Status::Invalid(path, " exists already: name another, or remove it");
}

// Verifies what one stream's record of a partition holds. A task that has died at its beginning has
// left no partition.meta, and nothing to verify.
Status VerifyStream(const OperatorDump& dump, int stream, const AttemptName& name) {
  if (name.attempt) {
    const fs::path folder =
        fs::path(dump.folder()) / StreamName(stream) / AttemptFolder(name.partition, *name.attempt);
    std::error_code error;
    if (!fs::exists(folder / kPartitionMetaName, error)) return Status::OK();
  }
  ARROW_ASSIGN_OR_RAISE(const StreamRecord record,
                        dump.StreamPartition(stream, name.partition, name.attempt));
  return VerifyBatchFiles(record);
}

Status VerifyPartition(const OperatorDump& dump, int partition) {
  ARROW_ASSIGN_OR_RAISE(const PartitionRecord record,
                        dump.Partition(partition, /*truncated=*/true));
  for (const StreamRecord& input : record.inputs) RETURN_NOT_OK(VerifyBatchFiles(input));
  return record.output ? VerifyBatchFiles(*record.output) : Status::OK();
}

// Verifies all that the dump of an operator has recorded, of attempts that did not commit too.
Status VerifyOperator(const std::string& folder) {
  ARROW_ASSIGN_OR_RAISE(const OperatorDump dump, OperatorDump::Open(folder));
  const bool apart = dump.plan().streams_apart;
  const int input_count = static_cast<int>(dump.inputs().size());
  for (int stream = kOutputStream; stream < input_count; ++stream) {
    for (const AttemptName& name : dump.AttemptsOf(stream)) {
      if (apart || name.attempt) RETURN_NOT_OK(VerifyStream(dump, stream, name));
    }
  }
  for (const AttemptName& name : dump.attempts()) {
    if (!apart && !name.attempt) RETURN_NOT_OK(VerifyPartition(dump, name.partition));
  }
  return Status::OK();
}

// The files below `folder` with sizes and checksums, by name.
Result<std::vector<PackedFile>> FilesOf(const std::string& folder, const std::string& name) {
  std::vector<PackedFile> files;
  std::error_code error;
  fs::recursive_directory_iterator entries(folder, error);
  for (const fs::recursive_directory_iterator end; !error && entries != end;
       entries.increment(error)) {
    const fs::path& path = entries->path();
    if (entries->is_directory(error) && !entries->is_symlink(error)) continue;
    if (IsHadoopChecksum(path.filename().string())) continue;
    if (entries->is_symlink(error) || !entries->is_regular_file(error)) {
      return Status::Invalid(path.string(), " does not belong into a dump: it is no plain file");
    }
    PackedFile file;
    file.name = name + "/" + path.lexically_relative(folder).generic_string();
    RunningChecksum checksum;
    RETURN_NOT_OK(ReadInPieces(path.string(), [&](std::string_view bytes) {
      file.bytes += static_cast<int64_t>(bytes.size());
      checksum.Add(bytes);
      return Status::OK();
    }));
    file.checksum = checksum.value();
    files.push_back(std::move(file));
  }
  if (error) return SystemError(folder, "list", error.value());
  std::ranges::sort(files, {}, &PackedFile::name);
  return files;
}

Result<std::string> PackMetaText(const std::vector<int64_t>& operators,
                                 const std::vector<PackedFile>& files) {
  nlohmann::ordered_json meta = NewMeta("pack");
  meta["operators"] = operators;
  meta["files"] = nlohmann::ordered_json::array();
  for (const PackedFile& file : files) {
    meta["files"].push_back(
        {{"name", file.name}, {"bytes", file.bytes}, {"checksum", Hex(file.checksum)}});
  }
  return Seal(meta, SealLayout::kFile);
}

// A name that stays below the folder that it is unpacked into.
bool IsSafeName(const std::string& name) {
  const fs::path path(name);
  if (name.empty() || path.is_absolute() || name.find('\0') != std::string::npos ||
      name.find('\\') != std::string::npos || path.generic_string() != name) {
    return false;
  }
  return std::ranges::all_of(
      path, [](const fs::path& part) { return !part.empty() && part != "." && part != ".."; });
}

struct PackMeta {
  std::vector<int64_t> operators;
  std::vector<PackedFile> files;
};

Result<PackMeta> ParsePackMeta(const std::string& text, const std::string& place) {
  RETURN_NOT_OK(CheckMeta(text, "pack", place));
  ARROW_ASSIGN_OR_RAISE(const auto json, Unseal(text, SealLayout::kFile, place));
  PackMeta meta;
  ARROW_ASSIGN_OR_RAISE(const auto* operators, ArrayMember(json, "operators", place));
  for (const auto& id : *operators) {
    if (!id.is_number_integer()) return Status::Invalid(place, ": \"operators\" must be integers");
    meta.operators.push_back(id.get<int64_t>());
  }
  ARROW_ASSIGN_OR_RAISE(const auto* files, ArrayMember(json, "files", place));
  for (const auto& item : *files) {
    PackedFile file;
    ARROW_ASSIGN_OR_RAISE(file.name, StringMember(item, "name", place));
    ARROW_ASSIGN_OR_RAISE(file.bytes, IntegerMember(item, "bytes", place, kVolumeRange));
    ARROW_ASSIGN_OR_RAISE(file.checksum, HexMember(item, "checksum", place));
    if (!IsSafeName(file.name) || !OperatorOfFolder(fs::path(file.name).begin()->string())) {
      return Status::Invalid(place, " names a file that may not be in a dump: \"", file.name, "\"");
    }
    meta.files.push_back(std::move(file));
  }
  return meta;
}

// Removes what was made aside unless it was kept.
class Aside {
 public:
  explicit Aside(std::string path) : path_(std::move(path)) {}
  ~Aside() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  const std::string& path() const { return path_; }
  Status MoveTo(const std::string& target) {
    RETURN_NOT_OK(CheckAbsent(target));
    if (::rename(path_.c_str(), target.c_str()) != 0)
      return SystemError(target, "rename to", errno);
    path_.clear();
    return Status::OK();
  }

 private:
  std::string path_;
};

std::string AsideName(const std::string& path) {
  return fmt::format("{}.part-{}", path, static_cast<int64_t>(::getpid()));
}

Status Changed(const std::string& archive, const std::string& what) {
  return Status::Invalid(archive, " is damaged: ", what, "; have it sent again");
}

// Writes one member to a file below `folder` and compares it with what pack.meta says.
Status UnpackFile(ArchiveReader* reader, const std::string& archive, const PackedFile& file,
                  const std::string& folder, char* buffer) {
  const fs::path path = fs::path(folder) / file.name;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return SystemError(path.parent_path().string(), "create", error.value());
  ARROW_ASSIGN_OR_RAISE(LineFile out, LineFile::Create(path.string()));
  RunningChecksum checksum;
  int64_t bytes = 0;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const int64_t read, reader->Read(buffer, kBufferBytes));
    if (read == 0) break;
    bytes += read;
    if (bytes > file.bytes) break;
    checksum.Add({buffer, static_cast<size_t>(read)});
    RETURN_NOT_OK(out.Append({buffer, static_cast<size_t>(read)}));
  }
  if (bytes != file.bytes || checksum.value() != file.checksum) {
    return Changed(archive, file.name + " has other bytes than were packed");
  }
  return out.Close();
}

Result<PackMeta> ReadPackMeta(ArchiveReader* reader, const std::string& archive) {
  ARROW_ASSIGN_OR_RAISE(const auto first, reader->Next());
  if (!first || first->name != kPackMetaName || !first->plain_file) {
    return Status::Invalid(archive, " is no file that `reprise pack` wrote: expected ",
                           kPackMetaName, " as its first member, found ",
                           first ? "\"" + first->name + "\"" : "none");
  }
  std::string text;
  std::string piece(kBufferBytes, '\0');
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const int64_t read, reader->Read(piece.data(), kBufferBytes));
    if (read == 0) break;
    text.append(piece.data(), static_cast<size_t>(read));
    if (static_cast<int64_t>(text.size()) > kPackMetaBytesMax) {
      return Changed(archive, "its pack.meta is too large");
    }
  }
  return ParsePackMeta(text, archive + ": " + kPackMetaName);
}

}  // namespace

Result<PackReport> PackDump(const std::string& given, const std::string& file,
                            const PackProgress& progress) {
  const std::string folder =
      fs::path(given).has_filename() ? given : fs::path(given).parent_path().string();
  RETURN_NOT_OK(CheckAbsent(file));
  PackReport report;
  std::error_code error;
  const auto own_id = OperatorOfFolder(fs::path(folder).filename().string());
  const bool is_operator = own_id && fs::exists(fs::path(folder) / kPlanMetaName, error);
  if (is_operator) {
    report.operators = {*own_id};
  } else {
    ARROW_ASSIGN_OR_RAISE(report.operators, ListOperators(folder));
  }
  std::vector<PackedFile> files;
  for (const int64_t id : report.operators) {
    const std::string name = OperatorFolder(id);
    const std::string path = is_operator ? folder : (fs::path(folder) / name).string();
    ARROW_ASSIGN_OR_RAISE(auto found, FilesOf(path, name));
    RETURN_NOT_OK(VerifyOperator(path));
    std::ranges::move(found, std::back_inserter(files));
  }
  ARROW_ASSIGN_OR_RAISE(const std::string meta, PackMetaText(report.operators, files));
  Aside aside(AsideName(file));
  ARROW_ASSIGN_OR_RAISE(const auto writer, ArchiveWriter::Create(aside.path()));
  RETURN_NOT_OK(writer->Begin(kPackMetaName, static_cast<int64_t>(meta.size())));
  RETURN_NOT_OK(writer->Write(meta));
  const fs::path root = is_operator ? fs::path(folder).parent_path() : fs::path(folder);
  for (const PackedFile& packed : files) {
    RETURN_NOT_OK(writer->Begin(packed.name, packed.bytes));
    RETURN_NOT_OK(ReadInPieces((root / packed.name).string(),
                               [&](std::string_view bytes) { return writer->Write(bytes); }));
    ++report.files;
    report.bytes += packed.bytes;
    if (progress) progress(static_cast<int>(report.files), static_cast<int>(files.size()));
  }
  RETURN_NOT_OK(writer->Close());
  RETURN_NOT_OK(aside.MoveTo(file));
  return report;
}

Result<PackReport> UnpackDump(const std::string& file, const std::string& given,
                              const PackProgress& progress) {
  const std::string folder =
      fs::path(given).has_filename() ? given : fs::path(given).parent_path().string();
  RETURN_NOT_OK(CheckAbsent(folder));
  ARROW_ASSIGN_OR_RAISE(const auto reader, ArchiveReader::Open(file));
  ARROW_ASSIGN_OR_RAISE(const PackMeta meta, ReadPackMeta(reader.get(), file));
  Aside aside(AsideName(folder));
  std::error_code error;
  if (!fs::create_directory(aside.path(), error)) {
    return SystemError(aside.path(), "create", error ? error.value() : EEXIST);
  }
  PackReport report{meta.operators, 0, 0};
  const auto buffer = std::make_unique<char[]>(kBufferBytes);
  for (const PackedFile& packed : meta.files) {
    ARROW_ASSIGN_OR_RAISE(const auto member, reader->Next());
    if (!member) return Changed(file, "it ends before " + packed.name);
    if (member->name != packed.name || !member->plain_file) {
      return Changed(file,
                     fmt::format("expected the plain file {}, found {}{}", packed.name,
                                 member->plain_file ? "" : "a link or folder ", member->name));
    }
    RETURN_NOT_OK(UnpackFile(reader.get(), file, packed, aside.path(), buffer.get()));
    ++report.files;
    report.bytes += packed.bytes;
    if (progress) progress(static_cast<int>(report.files), static_cast<int>(meta.files.size()));
  }
  ARROW_ASSIGN_OR_RAISE(const auto more, reader->Next());
  if (more) return Changed(file, "it holds " + more->name + ", which pack.meta does not name");
  for (const int64_t id : meta.operators) {
    RETURN_NOT_OK(VerifyOperator((fs::path(aside.path()) / OperatorFolder(id)).string()));
  }
  RETURN_NOT_OK(aside.MoveTo(folder));
  return report;
}

}  // namespace reprise
