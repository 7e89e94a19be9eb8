// BatchQueue: batches that wait for their turn, in memory or on disk.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "operators/spill_place.h"

namespace reprise {

/// Gives batches in the order in which they came. Spill writes those that are in memory to a file.
class BatchQueue {
 public:
  /// `place.context` must outlive the object.
  BatchQueue(std::shared_ptr<arrow::Schema> schema, SpillPlace place)
      : schema_(std::move(schema)), place_(std::move(place)) {}

  /// Adds a batch without a selection behind the others.
  void Push(Batch batch);
  /// Puts rows in front that have been taken.
  void PutBack(Batch batch);
  /// Takes the first batch. There must be one.
  Result<Batch> Pop();

  /// Bytes of those in memory that Spill would free.
  int64_t bytes() const { return bytes_; }
  Result<int64_t> Spill();

 private:
  struct Item {
    std::optional<Batch> batch;           // in memory; or
    std::unique_ptr<SpillFile> file;      // some batches in a file
    std::unique_ptr<SpillReader> reader;  // of the file, once it is read
    int64_t batches_left = 0;             // in the file
    int64_t bytes = 0;                    // of the batch
  };

  std::shared_ptr<arrow::Schema> schema_;
  const SpillPlace place_;
  std::optional<Batch> in_front_;
  std::deque<Item> items_;
  int64_t bytes_ = 0;
};

}  // namespace reprise
