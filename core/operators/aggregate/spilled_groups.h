// SpilledGroups: groups of a hash aggregate on disk, in partitions by the hash of their keys.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "exchange/spill_file.h"
#include "operators/operator.h"

namespace reprise {

class GroupStates;

/// Equal keys come into the same partition, so that partitions can be merged one by one. One that
/// is too large when it is merged is written again in smaller ones: a partition of level n was
/// divided by the n-th four bits of the hash. After kLevelMax there are no bits left.
class SpilledGroups {
 public:
  static constexpr int kLevelMax = 6;

  struct Partition {
    std::unique_ptr<SpillFile> file;
    int level = 0;
  };

  /// `schema`: of GroupStates::Columns. `context` must outlive it.
  SpilledGroups(std::shared_ptr<arrow::Schema> schema, const TaskContext& context)
      : schema_(std::move(schema)), context_(context) {}

  /// Writes groups from `begin` on into partitions of `level`. Returns the bytes written.
  Result<int64_t> Write(const GroupStates& states, int32_t begin, int level);

  /// Whether something was written since the last EndLevel.
  bool has_written() const { return has_written_; }

  /// What was written since the last call is all of its keys: its partitions may be taken.
  void EndLevel();

  /// A partition that is to be merged; nothing where none is left.
  std::optional<Partition> Take();

 private:
  static constexpr int kPartitions = 16;

  Result<int64_t> WriteChunk(const GroupStates& states, int32_t begin, int32_t end, int level);

  std::shared_ptr<arrow::Schema> schema_;
  const TaskContext& context_;
  std::array<std::unique_ptr<SpillFile>, kPartitions> writing_;
  int level_ = 0;
  bool has_written_ = false;
  std::vector<Partition> waiting_;
};

}  // namespace reprise
