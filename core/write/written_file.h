// One Parquet file on its way out, piece by piece.
#pragma once

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/memory_pool.h>

#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "write/file_layout.h"

namespace reprise {

/// A file of a layout. Rows are encoded as they come, and wait in memory for their row group to be
/// full; then its bytes are there to be taken. Used by one thread at a time.
class WrittenFile {
 public:
  static Result<std::unique_ptr<WrittenFile>> Open(std::shared_ptr<const FileLayout> layout,
                                                   arrow::MemoryPool* pool);
  ~WrittenFile();

  /// Adds rows: one array a column, all of one length. Ends the row group where it is full.
  Status Write(std::span<const std::shared_ptr<arrow::Array>> columns);

  /// Of the row group that is being made, encoded, about.
  int64_t buffered_bytes() const;
  /// Ends the row group, if there is one.
  Status EndRowGroup();
  /// Ends the file. Nothing may be written afterwards.
  Status Close();

  int64_t rows() const { return rows_; }
  int64_t row_groups() const { return row_groups_; }

  /// The next of the file's bytes, at most `bytes_max` of them; null where there are none just now.
  std::shared_ptr<arrow::Buffer> TakeBytes(int64_t bytes_max);

 private:
  class Sink;
  struct Contents;
  class RowGroup;

  WrittenFile(std::shared_ptr<const FileLayout> layout, arrow::MemoryPool* pool);
  Status WritePart(std::span<const std::shared_ptr<arrow::Array>> columns);

  std::shared_ptr<const FileLayout> layout_;
  arrow::MemoryPool* pool_;
  std::shared_ptr<Sink> sink_;
  std::unique_ptr<Contents> contents_;
  std::unique_ptr<RowGroup> row_group_;  // null: none has begun, or the last has ended
  int64_t rows_ = 0;
  int64_t row_groups_ = 0;
};

}  // namespace reprise
