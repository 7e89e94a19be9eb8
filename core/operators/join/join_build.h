// The build side of a join: its rows and their hash table.
#pragma once

#include <memory>
#include <vector>

#include "base/batch_bounds.h"
#include "operators/join/join_keys.h"
#include "operators/join/join_table.h"

namespace reprise {

/// All rows of the build side, ready to be probed. Does not change, so several tasks may share it.
struct JoinBuild {
  JoinKeyLayout layout{std::vector<DataType>()};
  std::unique_ptr<JoinTable> table;
  arrow::ArrayVector columns;  ///< one array a column, of table->row_count() rows
  RowWidths widths;            ///< of `columns`
  int64_t longest_row = 0;     ///< no row has more bytes of values
  int64_t bytes = 0;           ///< of memory, about
};

/// Collects the build side batch by batch.
class JoinBuilder {
 public:
  /// Without `key_types` every row matches every other (MakeKeylessJoinTable). The memory of the
  /// build is `pool`'s, all of it where `owns_memory`; else columns may be those that were added.
  JoinBuilder(const std::vector<Field>& fields, const std::vector<DataType>& key_types,
              ChainOrder order, bool owns_memory, arrow::MemoryPool* pool);

  /// Adds the selected rows of `batch`, whose keys are `keys`.
  Status Add(const Batch& batch, const arrow::ArrayVector& keys);

  /// The build. Call once, after the last Add. Strings of more than 2 GiB in one column are
  /// Status::CapacityError. After an error the rows may still be taken. `may_regroup`: nobody minds
  /// the order of rows with other keys, nor RegroupBytes() more for a while (JoinTable::Regroup).
  Result<std::shared_ptr<const JoinBuild>> Finish(bool may_regroup = false);

  int64_t row_count() const { return build_->table->row_count(); }
  bool has_null_key() const { return build_->table->has_null_key(); }
  /// Bytes of memory that the rows have, about.
  int64_t bytes() const { return column_bytes_ + build_->table->bytes(); }
  /// Bytes that adding `batch` needs, and that Finish needs beside them, about.
  int64_t GrowthBytes(const Batch& batch) const;
  int64_t FinishBytes() const;
  /// Bytes that regrouping needs beside them, about.
  int64_t RegroupBytes() const;

  /// The rows again, as they were added: how often there were some, and those of one time without
  /// a selection. Each is given once, then the builder is of no more use.
  size_t chunk_count() const { return chunk_ends_.size(); }
  Result<Batch> TakeChunk(size_t chunk);

 private:
  Result<std::shared_ptr<arrow::Array>> Joined(size_t column);
  Status Regroup();
  int64_t NewBytes(size_t column, const arrow::Array& chunk);

  const std::vector<Field>& fields_;
  bool owns_memory_;
  arrow::MemoryPool* pool_;
  std::shared_ptr<JoinBuild> build_;
  JoinKeys keys_;
  std::vector<arrow::ArrayVector> chunks_;  // by column
  std::vector<int64_t> chunk_ends_;         // in rows
  int64_t column_bytes_ = 0;
  std::vector<const arrow::ArrayData*> dictionaries_;  // each column's in the last chunk
};

}  // namespace reprise
