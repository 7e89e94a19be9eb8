// Which partition of an exchange each row goes to: Spark's partitionings.
#pragma once

#include <arrow/memory_pool.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "base/batch.h"
#include "plan/spec.h"

namespace reprise {

/// Says for the rows of batch after batch which partition they go to. Used by one thread at a time.
class Partitioning {
 public:
  virtual ~Partitioning() = default;
  int partition_count() const { return partition_count_; }
  /// Writes the partitions of the selected rows of `batch` to `partitions`, which has
  /// batch.selected_count() elements. Errors are those of the expressions.
  virtual Status Assign(const Batch& batch, arrow::MemoryPool* pool,
                        std::span<int32_t> partitions) = 0;

 protected:
  explicit Partitioning(int partition_count) : partition_count_(partition_count) {}

 private:
  int partition_count_;
};

/// Makes a partitioning from
///   {"type":"hash","expressions":[EXPR…]}       pmod(Murmur3Hash(expressions, 42), partitions)
///   {"type":"range","ordering":[ORDER…],"bounds":[[VALUE…]…]}
///       the first bound that is not before the row in the order, else the last partition; the
///       partitions are one more than the bounds. ORDER is
///       {"expression":EXPR,"ascending":true,"nullsFirst":true}
///   {"type":"round_robin","sorted":true}        one after the other, beginning where Spark does;
///       "sorted" is for whoever gives the rows
///   {"type":"single"}                           all rows to partition 0
/// over the columns `input`. `partition_count` is not read for "range" and "single";
/// `task_partition` is the partition of the task, from which round robin's beginning follows. What
/// is missing or mistyped is Status::Invalid that names it.
Result<std::unique_ptr<Partitioning>> MakePartitioning(const nlohmann::json& json,
                                                       const std::vector<Field>& input,
                                                       int partition_count, int task_partition);

/// The "range" kind; range_partitioning.cc.
Result<std::unique_ptr<Partitioning>> MakeRangePartitioning(const nlohmann::json& json,
                                                            const std::vector<Field>& input);

}  // namespace reprise
