// The record of an attempt that is kept back until the task's end, when it is known whether it is
// wanted (spark.reprise.lore.when).
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "dump/attempt_writer.h"
#include "dump/mask.h"
#include "exchange/spill_file.h"

namespace reprise {

/// Keeps batches in spill files, the newest ones where there are too many; limits of the capture
/// leave the last ones, among which is the one that failed. They are written to the
/// dump if the attempt is wanted, in the order in which they came. Nothing of it can make the
/// task fail: where it cannot be kept, a warning says so, and it is lost.
class AttemptRing : public AttemptSink {
 public:
  /// Keeps about what.ring_bytes, encoded.
  AttemptRing(AttemptToWrite what, const TaskContext& context);
  ~AttemptRing() override;

  Status Add(int stream, const Batch& batch) override;
  void SetExhausted(int stream) override { exhausted_.insert(stream); }
  void SetError(RaisedError error) override { error_ = std::move(error); }
  Status Finish(CaptureEnd end) override;

 private:
  struct Segment;
  // The digest of all rows of a stream of which no more is wanted.
  struct Counted {
    Mask mask;
    Digester digester;
  };
  bool IsWanted(CaptureEnd end) const;
  Status Keep(int stream, const Batch& batch);
  Status Count(const StreamToWrite& stream, const Batch& batch);
  Status WriteBatches(AttemptWriter* writer);
  void DropOldest();
  Status WriteAll(bool failed);
  void GiveUp(const Status& reason);

  AttemptToWrite what_;
  const TaskContext& context_;
  std::deque<std::unique_ptr<Segment>> segments_;  // a file each, so that old ones can go
  std::map<int, Counted> counted_;
  std::set<int> exhausted_;
  std::optional<RaisedError> error_;
  std::set<int> cut_;          // streams whose oldest batches are gone
  std::set<int> cut_by_rows_;  // of which more rows were kept than are wanted
  int64_t rows_max_ = 0;       // of each stream
  bool given_up_ = false;
  const int64_t start_ns_ = MonotonicNs();
};

}  // namespace reprise
