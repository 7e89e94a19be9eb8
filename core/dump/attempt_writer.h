// What one task attempt records of one operator: folders aside, committed by one rename.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/batch.h"
#include "base/captured_tasks.h"
#include "base/status.h"
#include "checksums/digest.h"
#include "dump/raised_error.h"
#include "dump/store.h"
#include "operators/operator.h"

namespace reprise {

/// One stream of an operator, as its recording needs it.
struct StreamToWrite {
  int stream = 0;  ///< kOutputStream, or the number of the input
  std::vector<Field> schema;
};

/// Where an attempt's record stops, for each partition of each stream.
struct CaptureLimits {
  int64_t rows = std::numeric_limits<int64_t>::max();
  int64_t bytes = std::numeric_limits<int64_t>::max();  ///< of the batches' files
};

struct AttemptToWrite {
  std::shared_ptr<DumpStore> store;
  std::string folder;  ///< …/loreId-N
  int64_t lore_id = 0;
  /// The first one's folder is the commit. At least one.
  std::vector<StreamToWrite> streams;
  CaptureLimits limits;
  /// Rows are counted and digested, all of them, but not written.
  bool digest_only = false;
  int64_t ring_bytes = 0;  ///< above 0: kept back until the end, at most so many (attempt_ring.h)
  CapturedTasks wanted;    ///< of what is kept back
  nlohmann::json leaf;     ///< PartitionHeader::leaf of all streams
  nlohmann::json masks;    ///< by column: Mask::Make
  std::string secret;      ///< the key of masks
};

/// What takes an attempt's batches.
class AttemptSink {
 public:
  virtual ~AttemptSink() = default;
  virtual Status Add(int stream, const Batch& batch) = 0;
  /// The stream has come to its own end.
  virtual void SetExhausted(int stream) = 0;
  /// The attempt has failed with this; its end follows.
  virtual void SetError(RaisedError error) = 0;
  virtual Status Finish(CaptureEnd end) = 0;
};

/// Records batches into partition-P.attempt-A/ of every stream. A batch is in its file, and its
/// line in partition.meta, when Add returns; at most one encoded batch is held in memory.
///
/// Where a limit is reached, all streams that have not ended are truncated there and then: what an
/// operator emits later depends on input that is not in the record.
class AttemptWriter : public AttemptSink {
 public:
  /// nullptr where nothing is to be recorded: the partition has been committed already, or the same
  /// attempt records it (a task that computes a partition twice). Status::IOError where a folder
  /// cannot be made.
  static Result<std::unique_ptr<AttemptWriter>> Open(AttemptToWrite what,
                                                     const TaskContext& context);
  ~AttemptWriter() override;

  Status Add(int stream, const Batch& batch) override;
  void SetExhausted(int stream) override;
  void SetError(RaisedError error) override { error_ = std::move(error); }
  /// Of a stream of which nothing else is recorded: the digest of all its rows.
  void SetDigest(int stream, StreamDigest digest);
  /// Ends the record of one stream as truncated: batches are missing that came before.
  Status Cut(int stream, std::string_view limit);

  /// The attempt is over. Of one that has not failed, commits: renames the folder of the first
  /// stream, and then those of the others. An attempt that finds the name taken removes its own
  /// folders. Of one that has failed, the folders stay aside, with the remark that it has.
  Status Finish(CaptureEnd end) override;

 private:
  class Stream;
  AttemptWriter(AttemptToWrite what, const TaskContext& context);
  Status MakeStreams(const TaskContext& context);
  Status OpenStreams(const TaskContext& context);
  Status Truncate(std::string_view limit);
  Status Commit();
  Status Drop();

  AttemptToWrite what_;
  arrow::MemoryPool* pool_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::map<int, Stream*> by_number_;
  std::optional<RaisedError> error_;
  bool truncated_ = false;
};

}  // namespace reprise
