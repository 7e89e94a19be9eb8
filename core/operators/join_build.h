// The build side of a join: its rows and their hash table.
#pragma once

#include <memory>
#include <vector>

#include "base/batch.h"
#include "operators/join_keys.h"
#include "operators/join_table.h"

namespace reprise {

/// All rows of the build side, ready to be probed. Does not change, so several tasks may share it.
struct JoinBuild {
  JoinKeyLayout layout{std::vector<DataType>()};
  std::unique_ptr<JoinTable> table;
  arrow::ArrayVector columns;  ///< one array a column, of table->row_count() rows
};

/// Collects the build side batch by batch.
class JoinBuilder {
 public:
  /// Without `key_types` every row matches every other (MakeKeylessJoinTable). The memory of the
  /// build is `pool`'s, all of it where `owns_memory`; else columns may be those that were added.
  JoinBuilder(const std::vector<Field>& fields, const std::vector<DataType>& key_types,
              bool owns_memory, arrow::MemoryPool* pool);

  /// Adds the selected rows of `batch`, whose keys are `keys`.
  Status Add(const Batch& batch, const arrow::ArrayVector& keys);

  /// The build. Call once, after the last Add. Strings of more than 2 GiB in one column are
  /// Status::CapacityError.
  Result<std::shared_ptr<const JoinBuild>> Finish();

 private:
  Result<std::shared_ptr<arrow::Array>> Joined(size_t column);

  const std::vector<Field>& fields_;
  bool owns_memory_;
  arrow::MemoryPool* pool_;
  std::shared_ptr<JoinBuild> build_;
  JoinKeys keys_;
  std::vector<arrow::ArrayVector> chunks_;  // by column
};

}  // namespace reprise
