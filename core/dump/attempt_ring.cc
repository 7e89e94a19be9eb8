#include "dump/attempt_ring.h"

#include <algorithm>
#include <cstdio>

#include "dump/dump_path.h"
#include "dump/meta.h"

namespace reprise {

namespace {

// A ring is so many files: the oldest one goes as a whole.
constexpr int64_t kSegments = 8;

}  // namespace

// Batches of all streams in the order in which they came, a file for each stream that has some.
struct AttemptRing::Segment {
  std::map<int, std::unique_ptr<SpillFile>> files;
  std::vector<int> order;  // the stream of each batch
  int64_t bytes() const {
    int64_t bytes = 0;
    for (const auto& [stream, file] : files) bytes += file->bytes();
    return bytes;
  }
};

AttemptRing::AttemptRing(AttemptToWrite what, const TaskContext& context)
    : what_(std::move(what)), context_(context) {
  // Of what is kept back the last rows count: the ring holds so much, and gives its end.
  what_.ring_bytes = std::min(what_.ring_bytes, what_.limits.bytes);
  rows_max_ = what_.limits.rows;
  what_.limits = {};
}

AttemptRing::~AttemptRing() = default;

Status AttemptRing::Add(int stream, const Batch& batch) {
  const auto wanted = std::ranges::find(what_.streams, stream, &StreamToWrite::stream);
  if (wanted == what_.streams.end() || given_up_) return Status::OK();
  const Status kept = what_.digest_only ? Count(*wanted, batch) : Keep(stream, batch);
  if (!kept.ok()) GiveUp(kept);
  return Status::OK();
}

Status AttemptRing::Count(const StreamToWrite& stream, const Batch& batch) {
  auto found = counted_.find(stream.stream);
  if (found == counted_.end()) {
    ARROW_ASSIGN_OR_RAISE(Mask mask, Mask::Make(what_.masks, what_.secret, stream.schema));
    Counted counted{std::move(mask), Digester(static_cast<int>(stream.schema.size()))};
    found = counted_.emplace(stream.stream, std::move(counted)).first;
  }
  ARROW_ASSIGN_OR_RAISE(const Batch masked, found->second.mask.Apply(batch, context_.pool));
  return found->second.digester.Update(masked);
}

Status AttemptRing::Keep(int stream, const Batch& batch) {
  if (segments_.empty() || segments_.back()->bytes() >= what_.ring_bytes / kSegments) {
    for (auto& segment : segments_) {
      for (auto& [number, file] : segment->files) file->EndWriting();
    }
    segments_.push_back(std::make_unique<Segment>());
  }
  Segment& segment = *segments_.back();
  auto& file = segment.files[stream];
  if (file == nullptr) {
    ARROW_ASSIGN_OR_RAISE(file,
                          SpillFile::Make(SpillStorageOf(context_), batch.schema, context_.pool));
  }
  RETURN_NOT_OK(file->Write(batch));
  segment.order.push_back(stream);
  int64_t bytes = 0;
  for (const auto& each : segments_) bytes += each->bytes();
  if (bytes > what_.ring_bytes && segments_.size() > 1) DropOldest();
  return Status::OK();
}

void AttemptRing::DropOldest() {
  for (const auto& [stream, file] : segments_.front()->files) cut_.insert(stream);
  segments_.pop_front();
}

void AttemptRing::GiveUp(const Status& reason) {
  given_up_ = true;
  segments_.clear();
  fmt::print(stderr,
             "reprise: LORE id {}, partition {}: the task's input cannot be kept for a dump: {}\n",
             what_.lore_id, context_.partition, reason.message());
}

bool AttemptRing::IsWanted(CaptureEnd end) const {
  if (end == CaptureEnd::kFailed || what_.wanted.kind == CapturedTasks::Kind::kAll) return true;
  if (what_.wanted.kind == CapturedTasks::Kind::kFailed || !context_.median_task_ms) return false;
  const auto taken_ms = static_cast<double>(MonotonicNs() - start_ns_) / 1e6;
  const std::optional<int64_t> median_ms = context_.median_task_ms();
  return median_ms && taken_ms >= what_.wanted.factor * static_cast<double>(*median_ms);
}

Status AttemptRing::Finish(CaptureEnd end) {
  if (given_up_ || !IsWanted(end)) return Status::OK();
  const Status written = WriteAll(end == CaptureEnd::kFailed);
  if (!written.ok()) GiveUp(written);
  return Status::OK();
}

Status AttemptRing::WriteAll(bool failed) {
  const std::string plan = Within(what_.folder, kPlanMetaName);
  ARROW_ASSIGN_OR_RAISE(const auto begun, what_.store->Look(plan));
  if (begun == DumpStore::Entry::kAbsent) {
    return Status::IOError(plan,
                           " is gone: it was removed when the query had run once without a "
                           "task to dump; make the DataFrame again");
  }
  ARROW_ASSIGN_OR_RAISE(const auto writer, AttemptWriter::Open(what_, context_));
  if (writer == nullptr) return Status::OK();
  if (error_) writer->SetError(*error_);
  for (const auto& [stream, counted] : counted_) {
    writer->SetDigest(stream, counted.digester.digest());
  }
  RETURN_NOT_OK(WriteBatches(writer.get()));
  for (const int stream : exhausted_) writer->SetExhausted(stream);
  for (const int stream : cut_) RETURN_NOT_OK(writer->Cut(stream, "ring"));
  for (const int stream : cut_by_rows_) RETURN_NOT_OK(writer->Cut(stream, "maxRows"));
  return writer->Finish(failed ? CaptureEnd::kFailed : CaptureEnd::kSucceeded);
}

Status AttemptRing::WriteBatches(AttemptWriter* writer) {
  std::map<int, int64_t> surplus;  // of each stream, rows that need not be written
  for (const auto& segment : segments_) {
    for (const auto& [stream, file] : segment->files) {
      surplus.try_emplace(stream, -rows_max_).first->second += file->rows();
    }
  }
  for (const auto& segment : segments_) {
    std::map<int, std::unique_ptr<SpillReader>> readers;
    for (const auto& [stream, file] : segment->files) {
      file->EndWriting();
      readers[stream] = file->Read(context_.pool);
    }
    for (const int stream : segment->order) {
      ARROW_ASSIGN_OR_RAISE(const auto batch, readers[stream]->Next());
      if (!batch) return Status::IOError("a spill file has fewer batches than were written");
      // The last batch is whole: the row that failed may stand anywhere in it.
      surplus[stream] -= batch->selected_count();
      if (surplus[stream] < 0) {
        RETURN_NOT_OK(writer->Add(stream, *batch));
      } else {
        cut_by_rows_.insert(stream);
      }
    }
  }
  return Status::OK();
}

}  // namespace reprise
