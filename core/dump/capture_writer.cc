#include "dump/capture_writer.h"

#include <stdio.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "dump/batch_file.h"
#include "dump/dump_path.h"
#include "dump/meta.h"
#include "dump/partition_meta.h"
#include "dump/sealed_json.h"

namespace reprise {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// The record of one stream by one attempt.
class StreamWriter {
 public:
  StreamWriter(fs::path aside, fs::path final, std::vector<Field> schema)
      : aside_(std::move(aside)),
        final_(std::move(final)),
        schema_(std::move(schema)),
        digester_(static_cast<int>(schema_.size())) {}

  const fs::path& aside() const { return aside_; }
  const fs::path& final() const { return final_; }

  Status Open(const PartitionHeader& header) {
    ARROW_ASSIGN_OR_RAISE(
        meta_, PartitionMetaWriter::Create((aside_ / kPartitionMetaName).string(), header));
    return Status::OK();
  }

  Status Add(const Batch& batch, arrow::MemoryPool* pool) {
    const std::string name = BatchFileName(batches_);
    const std::string path = (aside_ / name).string();
    const auto encoded = EncodeBatch(batch, schema_, pool);
    if (!encoded.ok()) return WithPrefix(encoded.status(), path + ": ");
    const auto bytes = std::string_view(**encoded);
    RETURN_NOT_OK(WriteNewFile(path, bytes));
    RETURN_NOT_OK(digester_.Update(batch));
    RETURN_NOT_OK(meta_.AddBatch(
        {name, batch.selected_count(), static_cast<int64_t>(bytes.size()), Checksum(bytes)}));
    ++batches_;
    return Status::OK();
  }

  void set_exhausted() { exhausted_ = true; }

  Status End(bool failed) {
    const StreamEnd end = failed       ? StreamEnd::kFailed
                          : exhausted_ ? StreamEnd::kExhausted
                                       : StreamEnd::kStopped;
    return meta_.End(end, digester_.digest());
  }

 private:
  fs::path aside_;
  fs::path final_;
  std::vector<Field> schema_;
  Digester digester_;
  PartitionMetaWriter meta_;
  int64_t batches_ = 0;
  bool exhausted_ = false;
};

// True when `from` is now `to`, false when another attempt's folder is there already.
Result<bool> RenameFolder(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return true;
  if (errno == EEXIST || errno == ENOTEMPTY) return false;
  return SystemError(from.string(), "rename to " + to.filename().string(), errno);
}

class DumpCapture : public Capture {
 public:
  // `streams`: the inputs in order, then the output where it is recorded.
  DumpCapture(std::vector<StreamWriter> streams, int input_count, arrow::MemoryPool* pool)
      : streams_(std::move(streams)), input_count_(input_count), pool_(pool) {}

  Status OnInput(int input, const Batch& batch) override {
    return streams_[input].Add(batch, pool_);
  }

  Status OnInputEnd(int input) override {
    streams_[input].set_exhausted();
    return Status::OK();
  }

  Status OnOutput(const Batch& batch) override {
    return records_output() ? streams_[input_count_].Add(batch, pool_) : Status::OK();
  }

  Status OnOutputEnd() override {
    if (records_output()) streams_[input_count_].set_exhausted();
    return Status::OK();
  }

  Status Finish(bool failed) override {
    Status ended;
    for (StreamWriter& stream : streams_) ended &= stream.End(failed);
    // The task's own error is the one to tell; a record without its last line is incomplete all the
    // same.
    if (failed) return Status::OK();
    return ended.ok() ? Commit() : ended;
  }

 private:
  bool records_output() const { return static_cast<int>(streams_.size()) > input_count_; }

  Status Commit() {
    ARROW_ASSIGN_OR_RAISE(const bool first, RenameFolder(streams_[0].aside(), streams_[0].final()));
    if (!first) return Drop();
    for (size_t i = 1; i < streams_.size(); ++i) {
      ARROW_ASSIGN_OR_RAISE(const bool renamed,
                            RenameFolder(streams_[i].aside(), streams_[i].final()));
      if (!renamed) {
        return Status::IOError(streams_[i].final().string(),
                               " exists although this attempt committed the partition first");
      }
    }
    return Status::OK();
  }

  Status Drop() {
    for (const StreamWriter& stream : streams_) {
      std::error_code error;
      fs::remove_all(stream.aside(), error);
      if (error) return SystemError(stream.aside().string(), "remove", error.value());
    }
    return Status::OK();
  }

  std::vector<StreamWriter> streams_;
  int input_count_;
  arrow::MemoryPool* pool_;
};

Result<bool> IsListed(const Json& capture, int partition) {
  const auto partitions = capture.find("partitions");
  if (partitions == capture.end() || partitions->is_null()) return true;
  if (!partitions->is_array()) {
    return Status::Invalid("capture: member \"partitions\" must be an array");
  }
  return std::find(partitions->begin(), partitions->end(), Json(partition)) != partitions->end();
}

// False where the folder exists: this attempt records the partition already.
Result<bool> CreateAside(const fs::path& aside) {
  std::error_code error;
  fs::create_directories(aside.parent_path(), error);
  if (error) return SystemError(aside.parent_path().string(), "create", error.value());
  const bool created = fs::create_directory(aside, error);
  if (error) return SystemError(aside.string(), "create", error.value());
  return created;
}

}  // namespace

Result<std::unique_ptr<Capture>> MakeDumpCapture(const OperatorSpec& spec, const Json& capture,
                                                 const TaskContext& context) {
  if (!capture.is_object()) return Status::Invalid("capture must be an object");
  ARROW_ASSIGN_OR_RAISE(const std::string uri, StringMember(capture, "path", "capture"));
  ARROW_ASSIGN_OR_RAISE(const int64_t lore_id, IntegerMember(capture, "loreId", "capture"));
  ARROW_ASSIGN_OR_RAISE(const bool output, BooleanMember(capture, "output", "capture"));
  ARROW_ASSIGN_OR_RAISE(const std::string path, LocalDumpPath(uri));
  ARROW_ASSIGN_OR_RAISE(const bool listed, IsListed(capture, context.partition));
  const int input_count = static_cast<int>(spec.inputs.size());
  if (!listed || (input_count == 0 && !output)) return nullptr;

  const fs::path folder = fs::path(path) / OperatorFolder(lore_id);
  std::vector<StreamWriter> streams;
  for (int i = 0; i < input_count + (output ? 1 : 0); ++i) {
    const bool is_input = i < input_count;
    const fs::path stream_folder = folder / StreamName(is_input ? i : kOutputStream);
    streams.emplace_back(stream_folder / AttemptFolder(context.partition, context.attempt),
                         stream_folder / PartitionFolder(context.partition),
                         is_input ? spec.inputs[i] : spec.output);
  }
  std::error_code error;
  if (fs::exists(streams[0].final(), error)) return nullptr;
  for (size_t i = 0; i < streams.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(const bool created, CreateAside(streams[i].aside()));
    if (!created && i == 0) return nullptr;
    RETURN_NOT_OK(streams[i].Open(
        {lore_id, static_cast<int>(i) < input_count ? static_cast<int>(i) : kOutputStream,
         context.partition, context.stage, context.attempt, context.batch_rows_target}));
  }
  return std::make_unique<DumpCapture>(std::move(streams), input_count, context.pool);
}

}  // namespace reprise
