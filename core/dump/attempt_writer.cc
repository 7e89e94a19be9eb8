#include "dump/attempt_writer.h"

#include <algorithm>

#include "base/check.h"
#include "dump/batch_file.h"
#include "dump/dump_path.h"
#include "dump/mask.h"
#include "dump/meta.h"
#include "dump/partition_meta.h"
#include "dump/sealed_json.h"

namespace reprise {

namespace {

// Makes the folder of an attempt in that of its stream. False where it exists: this attempt records
// the partition already.
Result<bool> CreateAside(DumpStore* store, const std::string& stream_folder,
                         const std::string& aside) {
  RETURN_NOT_OK(store->CreateFolders(stream_folder));
  return store->CreateFolder(aside);
}

// The first `rows` selected rows of a batch.
Result<Batch> FirstRows(const Batch& batch, int64_t rows, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(const auto whole, ToRecordBatch(batch, pool));
  return ToBatch(whole->Slice(0, rows));
}

}  // namespace

// The record of one stream.
class AttemptWriter::Stream {
 public:
  Stream(DumpStore* store, std::string folder, const TaskContext& context,
         std::vector<Field> schema, Mask mask, bool digest_only)
      : store_(store),
        folder_(std::move(folder)),
        aside_(Within(folder_, AttemptFolder(context.partition, context.attempt))),
        final_(Within(folder_, PartitionFolder(context.partition))),
        schema_(std::move(schema)),
        mask_(std::move(mask)),
        digest_only_(digest_only),
        digester_(static_cast<int>(schema_.size())) {}

  const std::string& folder() const { return folder_; }
  const std::string& aside() const { return aside_; }
  const std::string& final() const { return final_; }
  bool ended() const { return ended_; }
  int64_t rows() const { return rows_; }
  void set_exhausted() { exhausted_ = true; }
  void set_digest(StreamDigest digest) { digest_ = std::move(digest); }

  Status Open(const PartitionHeader& header) {
    return PartitionMetaWriter::Create(store_, Within(aside_, kPartitionMetaName), header)
        .Value(&meta_);
  }

  // False where the batch's file would need more than `bytes_left`: it is not written.
  Result<bool> Add(const Batch& seen, int64_t bytes_max, arrow::MemoryPool* pool) {
    ARROW_ASSIGN_OR_RAISE(const Batch batch, mask_.Apply(seen, pool));
    if (!digest_only_) {
      const std::string name = BatchFileName(batches_);
      const std::string path = Within(aside_, name);
      const auto encoded = EncodeBatch(batch, schema_, pool);
      if (!encoded.ok()) return WithPrefix(encoded.status(), path + ": ");
      const auto bytes = std::string_view(**encoded);
      if (bytes_ + static_cast<int64_t>(bytes.size()) > bytes_max) return false;
      RETURN_NOT_OK(store_->WriteNew(path, bytes));
      RETURN_NOT_OK(meta_.AddBatch(
          {name, batch.selected_count(), static_cast<int64_t>(bytes.size()), Checksum(bytes)}));
      bytes_ += static_cast<int64_t>(bytes.size());
      ++batches_;
    }
    RETURN_NOT_OK(digester_.Update(batch));
    rows_ += batch.selected_count();
    return true;
  }

  Status End(bool failed, const std::optional<RaisedError>& error) {
    return End(failed       ? StreamEnd::kFailed
               : exhausted_ ? StreamEnd::kExhausted
                            : StreamEnd::kStopped,
               {}, error);
  }

  Status End(StreamEnd end, std::string_view limit, const std::optional<RaisedError>& error) {
    if (std::exchange(ended_, true)) return Status::OK();
    return meta_.End(end, digest_.value_or(digester_.digest()), limit, error);
  }

  bool exhausted() const { return exhausted_; }

 private:
  DumpStore* store_;
  std::string folder_;
  std::string aside_;
  std::string final_;
  std::vector<Field> schema_;
  Mask mask_;
  bool digest_only_;
  Digester digester_;
  std::optional<StreamDigest> digest_;  // told by others
  PartitionMetaWriter meta_;
  int64_t batches_ = 0;
  int64_t rows_ = 0;
  int64_t bytes_ = 0;
  bool exhausted_ = false;
  bool ended_ = false;
};

AttemptWriter::AttemptWriter(AttemptToWrite what, const TaskContext& context)
    : what_(std::move(what)), pool_(context.pool) {
  REPRISE_CHECK(!what_.streams.empty(), "nothing to record of LORE id {}", what_.lore_id);
  if (what_.digest_only) what_.limits = {};
}

Status AttemptWriter::MakeStreams(const TaskContext& context) {
  for (const StreamToWrite& stream : what_.streams) {
    ARROW_ASSIGN_OR_RAISE(Mask mask, Mask::Make(what_.masks, what_.secret, stream.schema));
    streams_.push_back(
        std::make_unique<Stream>(what_.store.get(), Within(what_.folder, StreamName(stream.stream)),
                                 context, stream.schema, std::move(mask), what_.digest_only));
    by_number_[stream.stream] = streams_.back().get();
  }
  return Status::OK();
}

AttemptWriter::~AttemptWriter() = default;

Result<std::unique_ptr<AttemptWriter>> AttemptWriter::Open(AttemptToWrite what,
                                                           const TaskContext& context) {
  std::unique_ptr<AttemptWriter> writer(new AttemptWriter(std::move(what), context));
  RETURN_NOT_OK(writer->MakeStreams(context));
  Stream& first = *writer->streams_[0];
  DumpStore* const store = writer->what_.store.get();
  ARROW_ASSIGN_OR_RAISE(const auto committed, store->Look(first.final()));
  if (committed != DumpStore::Entry::kAbsent) return nullptr;
  ARROW_ASSIGN_OR_RAISE(const bool created, CreateAside(store, first.folder(), first.aside()));
  if (!created) return nullptr;
  RETURN_NOT_OK(writer->OpenStreams(context));
  return writer;
}

Status AttemptWriter::OpenStreams(const TaskContext& context) {
  for (size_t i = 0; i < streams_.size(); ++i) {
    if (i > 0) {
      RETURN_NOT_OK(
          CreateAside(what_.store.get(), streams_[i]->folder(), streams_[i]->aside()).status());
    }
    RETURN_NOT_OK(
        streams_[i]->Open({what_.lore_id, what_.streams[i].stream, context.partition, context.stage,
                           context.attempt, context.batch_rows_target, what_.leaf}));
  }
  return Status::OK();
}

Status AttemptWriter::Add(int number, const Batch& batch) {
  const auto found = by_number_.find(number);
  if (found == by_number_.end() || truncated_) return Status::OK();
  Stream& stream = *found->second;
  const int64_t rows_left = what_.limits.rows - stream.rows();
  if (batch.selected_count() <= rows_left) {
    ARROW_ASSIGN_OR_RAISE(const bool added, stream.Add(batch, what_.limits.bytes, pool_));
    return added ? Status::OK() : Truncate("maxBytes");
  }
  if (rows_left > 0) {
    ARROW_ASSIGN_OR_RAISE(const Batch part, FirstRows(batch, rows_left, pool_));
    ARROW_ASSIGN_OR_RAISE(const bool added, stream.Add(part, what_.limits.bytes, pool_));
    if (!added) return Truncate("maxBytes");
  }
  return Truncate("maxRows");
}

Status AttemptWriter::Truncate(std::string_view limit) {
  truncated_ = true;
  Status status;
  for (const auto& stream : streams_) {
    // The attempt goes on: what it may fail with is not in the record.
    if (!stream->exhausted()) status &= stream->End(StreamEnd::kTruncated, limit, std::nullopt);
  }
  return status;
}

Status AttemptWriter::Cut(int number, std::string_view limit) {
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return Status::OK();
  return found->second->End(StreamEnd::kTruncated, limit, error_);
}

void AttemptWriter::SetDigest(int number, StreamDigest digest) {
  const auto found = by_number_.find(number);
  if (found != by_number_.end()) found->second->set_digest(std::move(digest));
}

void AttemptWriter::SetExhausted(int number) {
  const auto found = by_number_.find(number);
  if (found != by_number_.end()) found->second->set_exhausted();
}

Status AttemptWriter::Finish(CaptureEnd end) {
  const bool failed = end == CaptureEnd::kFailed;
  Status ended;
  for (const auto& stream : streams_) ended &= stream->End(failed, error_);
  // The task's own error is the one to tell; a record without its last line is incomplete all the
  // same.
  if (failed) return Status::OK();
  return ended.ok() ? Commit() : ended;
}

Status AttemptWriter::Commit() {
  ARROW_ASSIGN_OR_RAISE(const bool first,
                        what_.store->RenameFolder(streams_[0]->aside(), streams_[0]->final()));
  if (!first) return Drop();
  for (size_t i = 1; i < streams_.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(const bool renamed,
                          what_.store->RenameFolder(streams_[i]->aside(), streams_[i]->final()));
    if (!renamed) {
      return Status::IOError(streams_[i]->final(),
                             " exists although this attempt committed the partition first");
    }
  }
  return Status::OK();
}

Status AttemptWriter::Drop() {
  for (const auto& stream : streams_) {
    RETURN_NOT_OK(what_.store->RemoveFolder(stream->aside()));
  }
  return Status::OK();
}

}  // namespace reprise
