// GroupStates: the groups of a hash aggregate, and the state of each of its functions for them.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "base/batch_bounds.h"
#include "operators/aggregate/accumulator.h"
#include "operators/aggregate/group_table.h"
#include "operators/pool_vector.h"

namespace reprise {

/// Keys and accumulators of groups 0 … group_count() - 1. Where there are no keys, there is one
/// group from the beginning.
class GroupStates {
 public:
  /// All memory comes from `pool`, which must outlive it and should count nothing else
  /// (GrowthBytes). `aggregates` must outlive it.
  static Result<std::unique_ptr<GroupStates>> Make(const std::vector<DataType>& key_types,
                                                   std::vector<const AggregateSpec*> aggregates,
                                                   arrow::MemoryPool* pool);

  bool is_keyed() const { return table_ != nullptr; }
  int32_t group_count() const { return group_count_; }
  Accumulator& accumulator(size_t aggregate) { return *accumulators_[aggregate]; }

  /// The group of each row, valid until the next call; null where there are no keys. New keys
  /// become new groups. `keys` has one column a key.
  Result<const int32_t*> FindGroups(const arrow::ArrayVector& keys, int64_t row_count);

  /// Adds groups as Columns gives them.
  Status MergeColumns(const arrow::ArrayVector& columns, int64_t row_count);

  /// About what the memory grows by when `row_count` rows come, all of them of `bytes` bytes: all
  /// arrays double together, and strings are kept.
  int64_t GrowthBytes(int64_t row_count, int64_t bytes) const;

  /// Spark keeps states of so many groups, in memory that nobody counts, that they had better
  /// leave.
  bool is_full() const { return group_count_ >= groups_max_; }

  /// How many groups from `begin` on are within `bounds`, about; one at least, where there is one.
  int32_t CountWithin(const BatchBounds& bounds, int32_t begin) const;

  Result<arrow::ArrayVector> Keys(int32_t begin, int32_t end, arrow::MemoryPool* pool) const;
  /// Keys and the buffers of all aggregates of groups begin … end - 1.
  Result<arrow::ArrayVector> Columns(int32_t begin, int32_t end, arrow::MemoryPool* pool) const;
  /// Keys and results.
  Result<arrow::ArrayVector> Results(int32_t begin, int32_t end, arrow::MemoryPool* pool) const;

  /// A hash of a group's keys. Only where there are keys.
  uint32_t HashOf(int32_t group) const { return table_->HashOf(group); }

 private:
  GroupStates(std::vector<const AggregateSpec*> aggregates, arrow::MemoryPool* pool)
      : pool_(pool), aggregates_(std::move(aggregates)), groups_(pool) {}
  Status GrowTo(int32_t group_count);
  int64_t StringBytes(int32_t begin, int32_t end) const;
  int64_t ArrayGrowthBytes(int64_t row_count) const;

  arrow::MemoryPool* pool_;
  std::vector<const AggregateSpec*> aggregates_;
  std::unique_ptr<GroupTable> table_;  // null: no keys
  size_t key_count_ = 0;
  bool keeps_strings_ = false;
  bool keeps_rows_ = false;  // a value of each row that comes
  std::vector<std::unique_ptr<Accumulator>> accumulators_;
  PoolVector<int32_t> groups_;  // of the rows of the batch at hand
  int32_t group_count_ = 0;
  int32_t groups_max_ = std::numeric_limits<int32_t>::max();
  int64_t capacity_ = 0;  // groups that the accumulators have room for
};

}  // namespace reprise
