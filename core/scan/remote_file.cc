#include "scan/remote_file.h"

#include <arrow/io/file.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/trace.h"
#include "scan/file_errors.h"
#include "scan/file_location.h"
#include "scan/file_tails.h"

namespace reprise {

namespace {

// Where a Parquet file has its footer; also what libparquet reads of it first.
constexpr int32_t kTailBytes = 64 << 10;
// What one request reads at most: of a long range several go on at once.
constexpr int64_t kPieceBytes = int64_t{4} << 20;
constexpr TraceRange kWaitRange = {"wait for remote file", "wait"};

// How often a task that waits looks whether it is cancelled.
constexpr int32_t kCancelledIntervalMs = 50;

Result<std::shared_ptr<arrow::Buffer>> CopyOf(const std::string& bytes, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto copy, arrow::AllocateBuffer(std::ssize(bytes), pool));
  std::memcpy(copy->mutable_data(), bytes.data(), bytes.size());
  return std::shared_ptr<arrow::Buffer>(std::move(copy));
}

void KeepTail(const std::string& location, const FileVersion& version, const arrow::Buffer& bytes) {
  FileTails::OfProcess().Keep(location,
                              {version, std::make_shared<const std::string>(bytes.ToString())});
}

}  // namespace

Result<std::shared_ptr<RemoteFile>> RemoteFile::Open(FileStore& store, const std::string& location,
                                                     const TaskContext& context) {
  std::shared_ptr<RemoteFile> file(new RemoteFile(location, context));
  FileTail known = FileTails::OfProcess().Find(location);
  file->known_ = std::move(known.bytes);
  file->known_version_ = known.version;
  ARROW_ASSIGN_OR_RAISE(file->tail_, arrow::AllocateBuffer(kTailBytes, context.pool));
  ARROW_ASSIGN_OR_RAISE(
      file->file_, store.Open(location, file->tail_->mutable_data(), kTailBytes, known.version));
  return file;
}

RemoteFile::~RemoteFile() { (void)Close(); }

Status RemoteFile::Close() {
  // Its reads write to what goes next.
  file_.reset();
  runs_.clear();
  tail_.reset();
  return Status::OK();
}

Status RemoteFile::Wait(const std::function<Result<bool>(int32_t)>& await) {
  ARROW_ASSIGN_OR_RAISE(bool done, await(0));
  Status status;
  const auto waits = [&] {
    const TraceScope range(context_.trace, kWaitRange);
    while (status.ok() && !done) {
      status = context_.CheckCancelled();
      if (!status.ok()) return;
      status = await(kCancelledIntervalMs).Value(&done);
    }
  };
  if (done) return Status::OK();
  if (context_.outside) {
    context_.outside(waits);
  } else {
    waits();
  }
  if (status.ok()) return status;
  // What a cancelled task has failed to read is no file's fault.
  RETURN_NOT_OK(context_.CheckCancelled());
  return status;
}

Status RemoteFile::TakeOpened(const FileVersion& version) {
  if (version.length < 0) return Status::IOError("the file system gives its length as below zero");
  Run tail;
  if (known_ != nullptr && version == known_version_) {
    ARROW_ASSIGN_OR_RAISE(tail.bytes, CopyOf(*known_, context_.pool));
  } else {
    tail.bytes = arrow::SliceBuffer(tail_, 0, std::min<int64_t>(kTailBytes, version.length));
    KeepTail(location_, version, *tail.bytes);
  }
  known_.reset();
  tail_.reset();
  tail.offset = version.length - tail.bytes->size();
  runs_.push_back(std::move(tail));
  version_ = version;
  return Status::OK();
}

Status RemoteFile::GrowTail(int64_t bytes) {
  RETURN_NOT_OK(AwaitOpen());
  const int64_t offset = version_->length - bytes;
  if (offset < 0 || RunOf(offset, bytes) != nullptr) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(Run * run, StartRun(offset, bytes));
  RETURN_NOT_OK(AwaitBytes(*run, offset, bytes));
  run->first_piece = -1;
  KeepTail(location_, *version_, *run->bytes);
  return Status::OK();
}

Result<bool> RemoteFile::IsOpen() {
  if (version_) return true;
  auto opened = file_->AwaitOpen(0);
  // Whoever wants the file is told why it has none.
  if (!opened.ok()) return true;
  if (!opened->has_value()) return false;
  RETURN_NOT_OK(TakeOpened(**opened));
  return true;
}

Status RemoteFile::AwaitOpen() {
  if (version_) return Status::OK();
  if (file_ == nullptr) return Status::IOError("the file is closed");
  std::optional<FileVersion> version;
  const Status opened = Wait([&](int32_t milliseconds) -> Result<bool> {
    ARROW_ASSIGN_OR_RAISE(version, file_->AwaitOpen(milliseconds));
    return version.has_value();
  });
  if (IsAboutFile(opened)) return StoreError(location_, "its end", opened.message());
  RETURN_NOT_OK(opened);
  return TakeOpened(*version);
}

RemoteFile::Run* RemoteFile::RunOf(int64_t offset, int64_t length) {
  const auto covers = [&](const Run& run) {
    return offset >= run.offset && length <= run.end() - offset;
  };
  const auto found = std::ranges::find_if(runs_, covers);
  return found == runs_.end() ? nullptr : &*found;
}

Result<RemoteFile::Run*> RemoteFile::StartRun(int64_t offset, int64_t length) {
  Run run;
  run.offset = offset;
  ARROW_ASSIGN_OR_RAISE(run.bytes, arrow::AllocateBuffer(length, context_.pool));
  std::vector<StoredFile::Piece> pieces;
  for (int64_t at = 0; at < length; at += kPieceBytes) {
    const auto piece = static_cast<int32_t>(std::min(kPieceBytes, length - at));
    pieces.push_back({offset + at, piece, run.bytes->mutable_data() + at});
  }
  ARROW_ASSIGN_OR_RAISE(run.first_piece, file_->Start(pieces));
  runs_.push_back(std::move(run));
  return &runs_.back();
}

// A footer may say anything: what is not there is an error of who reads it.
int64_t RemoteFile::LengthOf(const arrow::io::ReadRange& range) const {
  return range.offset < 0 ? 0 : std::min(range.length, version_->length - range.offset);
}

Status RemoteFile::Start(const std::vector<arrow::io::ReadRange>& ranges) {
  RETURN_NOT_OK(AwaitOpen());
  for (const auto& range : ranges) {
    const int64_t length = LengthOf(range);
    if (length <= 0 || RunOf(range.offset, length) != nullptr) continue;
    RETURN_NOT_OK(StartRun(range.offset, length));
  }
  return Status::OK();
}

Result<int64_t> RemoteFile::StartAhead(const std::vector<arrow::io::ReadRange>& ranges,
                                       int64_t bytes_max) {
  RETURN_NOT_OK(AwaitOpen());
  for (const auto& range : ranges) {
    const int64_t length = LengthOf(range);
    const Run* run = length <= 0 ? nullptr : RunOf(range.offset, length);
    const bool is_tail = run != nullptr && run->first_piece < 0;
    if (length <= 0 || is_tail) continue;
    if (length > bytes_max) return 0;
    bytes_max -= length;
    if (run != nullptr) continue;
    if (context_.memory != nullptr && !context_.memory->TryReserve(length)) return 0;
    RETURN_NOT_OK(StartRun(range.offset, length));
  }
  return bytes_max;
}

void RemoteFile::Drop(const std::vector<arrow::io::ReadRange>& ranges) {
  for (const auto& range : ranges) {
    std::erase_if(runs_, [&](const Run& run) { return run.offset == range.offset && IsRead(run); });
  }
}

bool RemoteFile::IsRead(const Run& run) const {
  if (run.first_piece < 0) return false;
  const int64_t pieces = (run.bytes->size() + kPieceBytes - 1) / kPieceBytes;
  for (int64_t piece = 0; piece < pieces; ++piece) {
    const auto read = file_->Await(run.first_piece + static_cast<int32_t>(piece), 0);
    if (read.ok() && !*read) return false;
  }
  return true;
}

Status RemoteFile::AwaitBytes(const Run& run, int64_t offset, int64_t length) {
  if (run.first_piece < 0 || length == 0) return Status::OK();
  const int64_t last = (offset + length - 1 - run.offset) / kPieceBytes;
  for (int64_t piece = (offset - run.offset) / kPieceBytes; piece <= last; ++piece) {
    const Status read = Wait([&](int32_t milliseconds) {
      return file_->Await(run.first_piece + static_cast<int32_t>(piece), milliseconds);
    });
    if (IsAboutFile(read)) {
      const int64_t at = run.offset + piece * kPieceBytes;
      return StoreError(
          location_,
          fmt::format("{} bytes at offset {}", std::min(kPieceBytes, run.end() - at), at),
          read.message());
    }
    RETURN_NOT_OK(read);
  }
  return Status::OK();
}

Result<int64_t> RemoteFile::GetSize() {
  RETURN_NOT_OK(AwaitOpen());
  return version_->length;
}

Result<std::shared_ptr<arrow::Buffer>> RemoteFile::ReadAt(int64_t position, int64_t bytes) {
  RETURN_NOT_OK(AwaitOpen());
  if (position < 0 || bytes < 0) {
    return Status::Invalid("a read of ", bytes, " bytes at offset ", position);
  }
  const int64_t length = std::clamp<int64_t>(version_->length - position, 0, bytes);
  if (length == 0) return arrow::AllocateBuffer(0, context_.pool);
  Run* run = RunOf(position, length);
  if (run == nullptr) {  // nobody has said that it will be read
    ARROW_ASSIGN_OR_RAISE(run, StartRun(position, length));
  }
  RETURN_NOT_OK(AwaitBytes(*run, position, length));
  return arrow::SliceBuffer(run->bytes, position - run->offset, length);
}

Result<int64_t> RemoteFile::ReadAt(int64_t position, int64_t bytes, void* out) {
  const bool was_asked_for = RunOf(position, bytes) != nullptr;
  ARROW_ASSIGN_OR_RAISE(auto read, ReadAt(position, bytes));
  const int64_t size = read->size();
  std::memcpy(out, read->data(), static_cast<size_t>(size));
  // The caller has it now, and nobody else has said that it wants it.
  read.reset();
  if (!was_asked_for) Drop({{position, size}});
  return size;
}

Result<int64_t> RemoteFile::Read(int64_t bytes, void* out) {
  ARROW_ASSIGN_OR_RAISE(const int64_t read, ReadAt(position_, bytes, out));
  position_ += read;
  return read;
}

Result<std::shared_ptr<arrow::Buffer>> RemoteFile::Read(int64_t bytes) {
  ARROW_ASSIGN_OR_RAISE(auto read, ReadAt(position_, bytes));
  position_ += read->size();
  return read;
}

Status RemoteFile::Seek(int64_t position) {
  position_ = position;
  return Status::OK();
}

Result<OpenedFile> OpenFile(const std::string& location, FileStore* store,
                            const TaskContext& context) {
  OpenedFile opened;
  if (IsLocal(location) || store == nullptr) {
    ARROW_ASSIGN_OR_RAISE(const std::string path, LocalPath(location));
    ARROW_ASSIGN_OR_RAISE(opened.file, arrow::io::ReadableFile::Open(path, context.pool));
  } else {
    ARROW_ASSIGN_OR_RAISE(opened.remote, RemoteFile::Open(*store, location, context));
    opened.file = opened.remote;
  }
  return opened;
}

}  // namespace reprise
