#include "dump/reader.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "dump/batch_file.h"
#include "dump/dump_path.h"
#include "dump/file.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

Result<std::set<std::string>> NamesIn(const std::string& folder) {
  std::error_code error;
  std::set<std::string> names;
  fs::directory_iterator entries(folder, error);
  for (const fs::directory_iterator end; !error && entries != end; entries.increment(error)) {
    const std::string name = entries->path().filename().string();
    if (!IsHadoopChecksum(name)) names.insert(name);
  }
  if (error) return SystemError(folder, "list", error.value());
  return names;
}

std::string Join(const std::string& folder, std::string_view name) {
  return (fs::path(folder) / name).string();
}

Status Foreign(const std::string& folder, const std::string& name, std::string_view expected) {
  return Status::Invalid(Join(folder, name), " does not belong into a dump: expected ", expected,
                         "; move it away");
}

Status Lost(const std::string& folder, std::string_view what) {
  return Status::Invalid(folder, " lacks ", what,
                         "; copy the dump again from where it was written");
}

// Where a whole dump is given instead of one operator's folder, says which operators there are.
Status NoPlanMeta(const std::string& folder) {
  const auto operators = ListOperators(folder);
  if (!operators.ok() || operators->empty()) {
    return Status::Invalid(folder, " is not the dump of an operator: it has no ", kPlanMetaName,
                           "; expected a folder such as loreId-10");
  }
  std::string names;
  for (const int64_t id : *operators) names += (names.empty() ? "" : ", ") + OperatorFolder(id);
  return Status::Invalid(folder, " is a whole dump; name one of its operators: ", names);
}

std::string AttemptText(const StreamRecord& record) {
  const char* how = record.meta.attempt_failed() ? "failed"
                    : record.meta.complete()     ? "did not commit"
                                                 : "never ended";
  return fmt::format("attempt {} {} after {} batches", record.meta.header.attempt, how,
                     record.meta.batches.size());
}

Status CheckFiles(const StreamRecord& record) {
  ARROW_ASSIGN_OR_RAISE(std::set<std::string> names, NamesIn(record.folder));
  names.erase(std::string(kPartitionMetaName));
  for (const BatchEntry& batch : record.meta.batches) {
    const std::string path = Join(record.folder, batch.file);
    if (names.erase(batch.file) == 0) {
      return Status::Invalid(path, " is missing: ", kPartitionMetaName, " lists it with ",
                             batch.rows, " rows; copy the dump again from where it was written");
    }
    std::error_code error;
    const auto size = fs::file_size(path, error);
    if (error) return SystemError(path, "look at", error.value());
    if (static_cast<int64_t>(size) != batch.bytes) {
      return Status::Invalid(path, " is damaged: it has ", size, " bytes, expected ", batch.bytes,
                             "; copy the dump again from where it was written");
    }
  }
  if (names.empty()) return Status::OK();
  return Foreign(record.folder, *names.begin(), "partition.meta and the batches that it lists");
}

Status CheckComplete(const StreamRecord& record) {
  if (record.meta.complete()) return Status::OK();
  const std::string path = Join(record.folder, kPartitionMetaName);
  if (record.meta.end == StreamEnd::kTruncated) {
    return Status::Invalid(path, " is truncated: a limit of the capture (", record.meta.limit,
                           ") left out what does not fit, and ", record.meta.rows(),
                           " rows are there; replay them with --truncated");
  }
  if (record.meta.torn) {
    return Status::Invalid(path, " is incomplete: it stops in the middle of a line, after ",
                           record.meta.batches.size(), " batches");
  }
  return Status::Invalid(path, " is incomplete: no line says that the record of ",
                         record.meta.batches.size(), " batches is whole");
}

}  // namespace

Result<OperatorDump> OperatorDump::Open(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return Status::Invalid(folder, " is not a folder; expected a dump's loreId-N");
  }
  if (!fs::exists(fs::path(folder) / kPlanMetaName, error)) return NoPlanMeta(folder);
  OperatorDump dump;
  dump.folder_ = folder;
  ARROW_ASSIGN_OR_RAISE(dump.plan_, ReadPlanMeta(Join(folder, kPlanMetaName)));
  RETURN_NOT_OK(dump.ReadStreams());
  if (!dump.inputs_.empty() || dump.output_) RETURN_NOT_OK(dump.ListAttempts());
  return dump;
}

// The stream whose folder is the commit comes first: not one that all partitions share.
std::vector<std::shared_ptr<const RddMeta>> OperatorDump::Streams() const {
  std::vector<std::shared_ptr<const RddMeta>> streams = inputs_;
  if (output_) streams.push_back(output_);
  std::stable_partition(streams.begin(), streams.end(),
                        [](const auto& rdd) { return !rdd->is_shared(); });
  return streams;
}

std::string OperatorDump::StreamFolder(int stream) const {
  return Join(folder_, StreamName(stream));
}

Status OperatorDump::ReadStreams() {
  ARROW_ASSIGN_OR_RAISE(std::set<std::string> names, NamesIn(folder_));
  names.erase(std::string(kPlanMetaName));
  const int input_count = static_cast<int>(plan_.spec.inputs.size());
  for (int i = 0; i < input_count + (plan_.output_recorded ? 1 : 0); ++i) {
    const int stream = i < input_count ? i : kOutputStream;
    names.erase(StreamName(stream));
    const std::string path = Join(StreamFolder(stream), kRddMetaName);
    std::error_code error;
    if (!fs::exists(StreamFolder(stream), error)) {
      return Lost(folder_, fmt::format("{}, which was recorded", StreamName(stream)));
    }
    ARROW_ASSIGN_OR_RAISE(RddMeta read, ReadRddMeta(path));
    const auto& schema = stream == kOutputStream ? plan_.spec.output : plan_.spec.inputs[i];
    if (read.stream != stream || read.lore_id != plan_.spec.lore_id || read.schema != schema) {
      return Status::Invalid(path, " belongs to another stream: expected ", StreamName(stream),
                             " of LORE id ", plan_.spec.lore_id, " with the schema in ",
                             kPlanMetaName);
    }
    auto rdd = std::make_shared<const RddMeta>(std::move(read));
    if (stream == kOutputStream) {
      output_ = std::move(rdd);
    } else {
      inputs_.push_back(std::move(rdd));
    }
  }
  if (names.empty()) return Status::OK();
  return Foreign(folder_, *names.begin(), "plan.meta and the folders of inputs and output");
}

Status OperatorDump::ListAttempts() {
  const int first = first_stream().stream;
  for (const auto& rdd : Streams()) {
    const std::string folder = StreamFolder(rdd->stream);
    ARROW_ASSIGN_OR_RAISE(const std::set<std::string> names, NamesIn(folder));
    for (const std::string& name : names) {
      if (name == kRddMetaName) continue;
      const auto parsed = ParsePartitionFolder(name);
      if (!parsed || parsed->partition >= rdd->partitions) {
        return Foreign(
            folder, name,
            fmt::format("rdd.meta and the folders of partitions 0 to {}", rdd->partitions - 1));
      }
      attempts_by_stream_[rdd->stream].push_back({parsed->partition, parsed->attempt});
    }
  }
  for (auto& [stream, attempts] : attempts_by_stream_) std::ranges::sort(attempts);
  attempts_ = AttemptsOf(first);
  return Status::OK();
}

bool OperatorDump::HasCommitted(int partition) const {
  return std::binary_search(attempts_.begin(), attempts_.end(),
                            AttemptName{partition, std::nullopt});
}

Status OperatorDump::NotCommitted(int partition) const {
  if (partition < 0 || partition >= plan_.partition_count) {
    return Status::Invalid(folder_, " has no partition ", partition, ": expected 0 to ",
                           plan_.partition_count - 1);
  }
  if (!plan_.Captures(partition)) {
    return Status::Invalid(folder_, ": partition ", partition,
                           " was not captured: spark.reprise.lore.idsToDump left it out");
  }
  std::string aside;
  for (const AttemptName& name : attempts_) {
    if (name.partition != partition || !name.attempt) continue;
    const auto record = Attempt(partition, *name.attempt);
    aside += record.ok()
                 ? "; " + AttemptText(record->inputs.empty() ? *record->output : record->inputs[0])
                 : "; " + record.status().message();
  }
  if (aside.empty()) {
    return Status::Invalid(folder_, ": partition ", partition,
                           " has no record: its task did not run, or its folder is missing");
  }
  return Status::Invalid(folder_, ": partition ", partition, " is incomplete", aside,
                         "; replay what an attempt recorded with --attempt");
}

Result<StreamRecord> OperatorDump::ReadStream(const std::shared_ptr<const RddMeta>& rdd,
                                              const std::string& name,
                                              const PartitionRecord& record, bool truncated) const {
  StreamRecord stream{Join(StreamFolder(rdd->stream), name), rdd, {}};
  const std::string path = Join(stream.folder, kPartitionMetaName);
  ARROW_ASSIGN_OR_RAISE(stream.meta, ReadPartitionMeta(path));
  const PartitionHeader& header = stream.meta.header;
  const int partition = rdd->is_shared() ? 0 : record.partition;
  if (header.lore_id != plan_.spec.lore_id || header.stream != rdd->stream ||
      header.partition != partition) {
    return Status::Invalid(path, " belongs elsewhere: it is of LORE id ", header.lore_id, ", ",
                           StreamName(header.stream), ", partition ", header.partition,
                           "; expected LORE id ", plan_.spec.lore_id, ", ", StreamName(rdd->stream),
                           ", partition ", partition);
  }
  if (!rdd->is_shared() && record.attempt >= 0 && header.attempt != record.attempt) {
    return Status::Invalid(path, " is of attempt ", header.attempt, ", expected attempt ",
                           record.attempt);
  }
  if (record.committed) {
    if (!truncated || stream.meta.end != StreamEnd::kTruncated) {
      RETURN_NOT_OK(CheckComplete(stream));
    }
    RETURN_NOT_OK(CheckFiles(stream));
  }
  return stream;
}

bool PartitionRecord::HoldsWhatWasWanted(const StreamRecord& input) const {
  if (input.meta.end == StreamEnd::kExhausted || input.meta.attempt_failed()) return true;
  return input.meta.end == StreamEnd::kStopped && output && output->meta.complete();
}

std::optional<RaisedError> PartitionRecord::Failure() const {
  std::optional<RaisedError> failure;
  const auto look_at = [&](const StreamRecord& stream) {
    if (!failure && stream.meta.attempt_failed())
      failure = stream.meta.error.value_or(RaisedError());
  };
  std::ranges::for_each(inputs, look_at);
  if (output) look_at(*output);
  return failure;
}

Result<PartitionRecord> OperatorDump::ReadRecord(int partition, std::optional<int64_t> attempt,
                                                 bool truncated) const {
  PartitionRecord record;
  record.partition = partition;
  record.committed = !attempt;
  record.attempt = attempt.value_or(-1);
  record.inputs.resize(inputs_.size());
  for (const auto& rdd : Streams()) {
    std::string name = attempt ? AttemptFolder(partition, *attempt) : PartitionFolder(partition);
    std::error_code error;
    if (rdd->is_shared()) {
      name = PartitionFolder(0);
    } else if (record.attempt >= 0 &&
               !fs::exists(fs::path(StreamFolder(rdd->stream)) / name, error)) {
      // The first stream's folder is the commit. The other streams of that attempt are whole as
      // well, even where the process died before it could rename them.
      name = AttemptFolder(partition, record.attempt);
      if (!fs::exists(fs::path(StreamFolder(rdd->stream)) / name, error)) {
        return Lost(StreamFolder(rdd->stream),
                    fmt::format("partition {}, of which {} holds what attempt {} recorded",
                                partition, StreamName(first_stream().stream), record.attempt));
      }
    }
    ARROW_ASSIGN_OR_RAISE(StreamRecord stream, ReadStream(rdd, name, record, truncated));
    if (!rdd->is_shared()) record.attempt = stream.meta.header.attempt;
    if (rdd == output_) {
      record.output = std::move(stream);
    } else {
      record.inputs[rdd->stream] = std::move(stream);
    }
  }
  return record;
}

Result<PartitionRecord> OperatorDump::Partition(int partition, bool truncated) const {
  if (plan_.streams_apart) {
    return Status::Invalid(folder_, ": the streams of ", plan_.spec.name,
                           " have partitions of their own, so that none can be replayed alone");
  }
  if (!HasCommitted(partition)) return NotCommitted(partition);
  return ReadRecord(partition, std::nullopt, truncated);
}

std::vector<AttemptName> OperatorDump::AttemptsOf(int stream) const {
  const auto found = attempts_by_stream_.find(stream);
  return found == attempts_by_stream_.end() ? std::vector<AttemptName>() : found->second;
}

Result<StreamRecord> OperatorDump::StreamPartition(int stream, int partition,
                                                   std::optional<int64_t> attempt) const {
  const bool is_output = stream == kOutputStream;
  if (!is_output && (stream < 0 || stream >= static_cast<int>(inputs_.size()))) {
    return Status::Invalid(folder_, " has no ", StreamName(stream));
  }
  const auto& rdd = is_output ? output_ : inputs_[stream];
  if (rdd == nullptr) return Status::Invalid(folder_, ": the output was not recorded");
  if (partition < 0 || partition >= rdd->partitions) {
    return Status::Invalid(folder_, ": ", StreamName(stream), " has no partition ", partition,
                           ": expected 0 to ", rdd->partitions - 1);
  }
  PartitionRecord record;
  record.partition = partition;
  record.committed = !attempt;
  record.attempt = attempt.value_or(-1);
  const AttemptName wanted{partition, attempt};
  const std::vector<AttemptName> attempts = AttemptsOf(stream);
  if (std::ranges::find(attempts, wanted) == attempts.end()) {
    return Status::Invalid(folder_, ": partition ", partition, " of ", StreamName(stream),
                           " has no whole record: its task did not run or did not end, or its "
                           "folder is missing");
  }
  const std::string name =
      attempt ? AttemptFolder(partition, *attempt) : PartitionFolder(partition);
  return ReadStream(rdd, name, record, /*truncated=*/false);
}

Result<PartitionRecord> OperatorDump::OutputPartition(int partition) const {
  PartitionRecord record;
  record.partition = partition;
  ARROW_ASSIGN_OR_RAISE(record.output, StreamPartition(kOutputStream, partition));
  record.committed = true;
  record.attempt = record.output->meta.header.attempt;
  return record;
}

Result<PartitionRecord> OperatorDump::Attempt(int partition, int64_t attempt) const {
  if (std::binary_search(attempts_.begin(), attempts_.end(), AttemptName{partition, attempt})) {
    return ReadRecord(partition, attempt, /*truncated=*/true);
  }
  if (HasCommitted(partition)) {
    ARROW_ASSIGN_OR_RAISE(PartitionRecord record,
                          ReadRecord(partition, std::nullopt, /*truncated=*/true));
    if (record.attempt == attempt) return record;
  }
  return Status::Invalid(folder_, " has no attempt ", attempt, " of partition ", partition,
                         "; `reprise show` lists the attempts");
}

namespace {

Result<std::string> ReadVerified(const std::string& path, const BatchEntry& batch) {
  ARROW_ASSIGN_OR_RAISE(std::string bytes, ReadWholeFile(path));
  const uint64_t checksum = Checksum(bytes);
  if (static_cast<int64_t>(bytes.size()) != batch.bytes || checksum != batch.checksum) {
    return Status::Invalid(path, " is damaged: it has ", bytes.size(), " bytes with checksum ",
                           Hex(checksum), ", expected ", batch.bytes, " bytes with ",
                           Hex(batch.checksum), "; copy the dump again from where it was written");
  }
  return bytes;
}

}  // namespace

BatchReader::BatchReader(StreamRecord record, arrow::MemoryPool* pool)
    : record_(std::move(record)),
      pool_(pool),
      digester_(static_cast<int>(record_.rdd->schema.size())) {}

Status VerifyBatchFiles(const StreamRecord& record) {
  for (const BatchEntry& batch : record.meta.batches) {
    RETURN_NOT_OK(ReadVerified(Join(record.folder, batch.file), batch).status());
  }
  return Status::OK();
}

Result<std::shared_ptr<arrow::RecordBatch>> BatchReader::Next() {
  if (next_ == record_.meta.batches.size()) {
    if (record_.meta.complete() && !record_.meta.digest_only &&
        digester_.digest() != record_.meta.digest) {
      return Status::Invalid(record_.folder, ": the batches decode to other rows than were ",
                             "recorded: their digest is ", Hex(digester_.digest().ordered),
                             ", expected ", Hex(record_.meta.digest.ordered));
    }
    return nullptr;
  }
  const BatchEntry& batch = record_.meta.batches[next_];
  const std::string path = Join(record_.folder, batch.file);
  ARROW_ASSIGN_OR_RAISE(std::string bytes, ReadVerified(path, batch));
  auto records = DecodeBatch(std::move(bytes), record_.rdd->schema, batch.rows, pool_);
  if (!records.ok()) return WithPrefix(records.status(), path + ": ");
  RETURN_NOT_OK(digester_.Update(ToBatch(*records)));
  ++next_;
  return *records;
}

Result<RecordBatches> ReadBatches(const StreamRecord& record, arrow::MemoryPool* pool) {
  BatchReader reader(record, pool);
  RecordBatches batches;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(auto batch, reader.Next());
    if (batch == nullptr) return batches;
    batches.push_back(std::move(batch));
  }
}

Result<std::vector<int64_t>> ListOperators(const std::string& dump) {
  std::error_code error;
  if (!fs::is_directory(dump, error)) {
    return Status::Invalid(dump, " is not a folder; expected a dump, or one of its loreId-N");
  }
  ARROW_ASSIGN_OR_RAISE(const std::set<std::string> names, NamesIn(dump));
  std::vector<int64_t> operators;
  for (const std::string& name : names) {
    if (name == kShrunkStatementName || name == kShrunkUnitTestName) continue;
    const auto id = OperatorOfFolder(name);
    if (!id) return Foreign(dump, name, "folders loreId-N");
    operators.push_back(*id);
  }
  std::sort(operators.begin(), operators.end());
  return operators;
}

}  // namespace reprise
