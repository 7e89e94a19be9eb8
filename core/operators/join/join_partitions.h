// JoinPartitions: rows of one side of a join on disk, in partitions by their keys.
#pragma once

#include <array>
#include <bitset>
#include <memory>
#include <vector>

#include "exchange/spill_file.h"
#include "operators/join/join_keys.h"
#include "operators/join/join_plan.h"

namespace reprise {

struct SpillPlace;

/// Writes the rows of one side, in their order, into files by a hash of the keys: equal keys come
/// into the same partition on both sides. Each level has another hash, so that the rows of one
/// partition can be divided again; none is that of an exchange or of a join's table.
class JoinPartitions {
 public:
  static constexpr int kCount = 16;

  /// Rows without a key are spread over the partitions if `keeps_null_keys`, else left out.
  /// `keys` and `place` must outlive the object.
  JoinPartitions(const JoinPlan::Keys* keys, bool keeps_null_keys,
                 std::shared_ptr<arrow::Schema> schema, int level, const SpillPlace* place);

  /// Leaves rows of other partitions out from now on.
  void set_wanted(std::bitset<kCount> wanted) { wanted_ = wanted; }

  /// Adds the selected rows of `batch`, whose columns are those of the schema.
  Status Add(const Batch& batch);
  /// After the last row: writes what is kept to be written with more rows at once.
  Status End();

  /// Rows of a partition that were written.
  int64_t rows(int partition) const { return files_[partition] ? files_[partition]->rows() : 0; }
  /// The file of a partition; null if it has no rows. Call End before.
  std::unique_ptr<SpillFile> Take(int partition) { return std::move(files_[partition]); }

 private:
  Status AddPiece(const Batch& batch);
  Status Flush();
  Status Write(const Batch& batch);

  const JoinPlan::Keys& key_expressions_;
  const bool keeps_null_keys_;
  std::shared_ptr<arrow::Schema> schema_;
  const uint64_t seed_;
  const SpillPlace& place_;
  const int64_t rows_at_once_;
  const JoinKeyLayout layout_;
  JoinKeys keys_;
  std::bitset<kCount> wanted_;
  std::array<std::unique_ptr<SpillFile>, kCount> files_;
  std::vector<Batch> pending_;  // too few rows to be divided alone
  int64_t pending_rows_ = 0;
  int64_t pending_bytes_ = 0;
  int64_t written_rows_ = 0;
};

}  // namespace reprise
