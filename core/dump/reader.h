// Reads dumps: finds operators, partitions and attempts, verifies them, and hands out their
// batches.
#pragma once

#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "checksums/digest.h"
#include "dump/meta.h"
#include "dump/partition_meta.h"

namespace reprise {

/// One attempt's record of one partition of one stream.
struct StreamRecord {
  std::string folder;
  std::shared_ptr<const RddMeta> rdd;
  PartitionMeta meta;
};

/// One attempt's record of one partition: all streams of the operator, from the same attempt.
struct PartitionRecord {
  int partition = 0;
  int64_t attempt = 0;
  bool committed = false;
  std::vector<StreamRecord> inputs;
  std::optional<StreamRecord> output;  ///< absent where the output was not recorded

  /// Whether the record of an input is all that a replay needs of it: the stream ended there, or
  /// the operator, or its consumer, wanted no more of it, so that what would have come changes
  /// nothing of the output up to where it was recorded; or the task failed, so that what made it
  /// fail is there. A replay may then take the record's end for the stream's.
  bool HoldsWhatWasWanted(const StreamRecord& input) const;
  /// With what the attempt has failed; absent where it has not. Of an older record nothing else is
  /// known of the error.
  std::optional<RaisedError> Failure() const;
};

/// A partition folder of the dump, named after its first stream.
struct AttemptName {
  int partition = 0;
  std::optional<int64_t> attempt;  ///< absent: the committed one
  auto operator<=>(const AttemptName&) const = default;
};

/// The dump of one operator: the folder loreId-N. Opening reads plan.meta, the rdd.meta files and
/// the names of folders; partitions are read when they are asked for. Every error names the file or
/// folder, and what was expected.
class OperatorDump {
 public:
  /// Errors: no such folder; no plan.meta (with the operators below, where the folder is a whole
  /// dump); a damaged or foreign file; a newer format version.
  static Result<OperatorDump> Open(const std::string& folder);

  const std::string& folder() const { return folder_; }
  const PlanMeta& plan() const { return plan_; }
  const std::vector<std::shared_ptr<const RddMeta>>& inputs() const { return inputs_; }
  const std::shared_ptr<const RddMeta>& output() const { return output_; }  ///< may be null

  /// All partition folders, ascending: committed ones and attempts that stayed aside. Where the
  /// streams stand apart, those of the first stream.
  const std::vector<AttemptName>& attempts() const { return attempts_; }
  bool HasCommitted(int partition) const;

  /// The committed record of a partition, verified but for the batches' content: complete, every
  /// file there with its size, none besides. Status::Invalid tells what is missing, and which
  /// attempts stayed aside. A replicated input's record is the same for all partitions. Records
  /// that a limit has cut are taken only where `truncated` says so.
  Result<PartitionRecord> Partition(int partition, bool truncated = false) const;

  /// What an attempt recorded, committed or not, complete or not: for looking at failures.
  Result<PartitionRecord> Attempt(int partition, int64_t attempt) const;

  /// The record of one partition of one stream, for operators whose streams stand apart: the
  /// committed one, which must be whole, or that of an attempt.
  Result<StreamRecord> StreamPartition(int stream, int partition,
                                       std::optional<int64_t> attempt = std::nullopt) const;
  /// The committed record of one partition of the output, with no input.
  Result<PartitionRecord> OutputPartition(int partition) const;
  /// The partition folders of one stream, ascending.
  std::vector<AttemptName> AttemptsOf(int stream) const;

 private:
  Status ReadStreams();
  Status ListAttempts();
  std::vector<std::shared_ptr<const RddMeta>> Streams() const;
  const RddMeta& first_stream() const { return *Streams()[0]; }
  std::string StreamFolder(int stream) const;
  Status NotCommitted(int partition) const;
  Result<StreamRecord> ReadStream(const std::shared_ptr<const RddMeta>& rdd,
                                  const std::string& name, const PartitionRecord& record,
                                  bool truncated) const;
  Result<PartitionRecord> ReadRecord(int partition, std::optional<int64_t> attempt,
                                     bool truncated) const;

  std::string folder_;
  PlanMeta plan_;
  std::vector<std::shared_ptr<const RddMeta>> inputs_;
  std::shared_ptr<const RddMeta> output_;
  std::vector<AttemptName> attempts_;
  std::map<int, std::vector<AttemptName>> attempts_by_stream_;
};

/// Compares size and checksum of every batch file of the record with what its partition.meta says,
/// without decoding any. Status::Invalid names the first file that differs.
Status VerifyBatchFiles(const StreamRecord& record);

/// Reads the batches of one record, one at a time, each verified by its size and checksum; after
/// the last, the digest of all rows is compared with the recorded one.
class BatchReader {
 public:
  BatchReader(StreamRecord record, arrow::MemoryPool* pool);
  const StreamRecord& record() const { return record_; }
  /// The next batch, or nullptr after the last one that was recorded.
  Result<std::shared_ptr<arrow::RecordBatch>> Next();

 private:
  StreamRecord record_;
  arrow::MemoryPool* pool_;
  Digester digester_;
  size_t next_ = 0;
};

using RecordBatches = std::vector<std::shared_ptr<arrow::RecordBatch>>;

/// All batches of one record, read as BatchReader reads them.
Result<RecordBatches> ReadBatches(const StreamRecord& record, arrow::MemoryPool* pool);

/// The LORE ids of the operators in a dump folder, ascending. A folder that holds anything else is
/// Status::Invalid.
Result<std::vector<int64_t>> ListOperators(const std::string& dump);

}  // namespace reprise
