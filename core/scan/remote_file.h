// A file that does not lie on a local file system, as libparquet reads it: by ranges that are asked
// for before they are needed.
//
// Input:   a FileStore, a location; the ranges that will be read.
// Output:  the bytes of any range, without a copy where it lies in one that was asked for.
// Example: ranges of 3 MB and of 10 MB are started as one read of 3 MB and three of 4, 4 and 2 MB;
//          ReadAt of the first waits for no other.
#pragma once

#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "operators/operator.h"
#include "scan/file_store.h"

namespace reprise {

class RemoteFile final : public arrow::io::RandomAccessFile {
 public:
  /// Starts to open the file; waits for nothing. `context` must outlive the file, whose memory is
  /// its pool's.
  static Result<std::shared_ptr<RemoteFile>> Open(FileStore& store, const std::string& location,
                                                  const TaskContext& context);
  ~RemoteFile() override;

  const std::string& location() const { return location_; }

  /// Whether the file has been opened, or cannot be: then the next call does not wait for that.
  Result<bool> IsOpen();

  /// Starts to read the ranges, unless they are being read already.
  Status Start(const std::vector<arrow::io::ReadRange>& ranges);
  /// The same until they take more than `bytes_max` bytes, or Spark grants no memory for them.
  /// Returns what is left of `bytes_max`; 0 where not all of them were started.
  Result<int64_t> StartAhead(const std::vector<arrow::io::ReadRange>& ranges, int64_t bytes_max);

  /// Has the last `bytes` bytes at hand, and kept for whoever opens the file again.
  Status GrowTail(int64_t bytes);

  /// Lets go of the ranges that have been read, but for what ReadAt has handed out.
  void Drop(const std::vector<arrow::io::ReadRange>& ranges);

  Result<int64_t> GetSize() override;
  Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t bytes) override;
  Result<int64_t> ReadAt(int64_t position, int64_t bytes, void* out) override;
  Result<int64_t> Read(int64_t bytes, void* out) override;
  Result<std::shared_ptr<arrow::Buffer>> Read(int64_t bytes) override;
  Status Seek(int64_t position) override;
  Result<int64_t> Tell() const override { return position_; }
  Status Close() override;
  bool closed() const override { return file_ == nullptr; }

 private:
  /// A range that is read, or being read, in pieces of one size.
  struct Run {
    int64_t offset = 0;
    std::shared_ptr<arrow::Buffer> bytes;
    int32_t first_piece = -1;  // below 0: it is there, and stays
    int64_t end() const { return offset + bytes->size(); }
  };

  RemoteFile(std::string location, const TaskContext& context)
      : location_(std::move(location)), context_(context) {}

  Status AwaitOpen();
  Status TakeOpened(const FileVersion& version);
  int64_t LengthOf(const arrow::io::ReadRange& range) const;
  Result<Run*> StartRun(int64_t offset, int64_t length);
  Run* RunOf(int64_t offset, int64_t length);
  bool IsRead(const Run& run) const;
  Status AwaitBytes(const Run& run, int64_t offset, int64_t length);
  Status Wait(const std::function<Result<bool>(int32_t)>& await);

  const std::string location_;
  const TaskContext& context_;
  std::shared_ptr<arrow::Buffer> tail_;  // before runs_ and file_, which writes to it
  std::shared_ptr<const std::string> known_;
  FileVersion known_version_;
  std::vector<Run> runs_;
  std::optional<FileVersion> version_;  // once it is open
  int64_t position_ = 0;
  std::unique_ptr<StoredFile> file_;  // the first to go
};

/// A file that is open for reading.
struct OpenedFile {
  std::shared_ptr<arrow::io::RandomAccessFile> file;
  std::shared_ptr<RemoteFile> remote;  ///< `file`, if it is one; null: it is local
};

/// Opens the file at `location`, which `store` has if it is not local. `context` must outlive it.
Result<OpenedFile> OpenFile(const std::string& location, FileStore* store,
                            const TaskContext& context);

}  // namespace reprise
