// Reads a column chunk below lists, maps or structs, row by row: its levels, and the values that
// are there.
#pragma once

#include <arrow/array.h>

#include <memory>
#include <span>

#include "scan/parquet_column_decoder.h"
#include "scan/parquet_level_pages.h"

namespace reprise {

class NestedLeaf {
 public:
  /// `source.column` is as in the file. `entry_bytes`: about what a level with its value takes. Of
  /// a source of type void only the levels are read.
  static Result<std::unique_ptr<NestedLeaf>> Make(ColumnChunkSource source, int64_t entry_bytes);

  /// How many of the next `rows` rows can be read together lest they take far more than `bytes`
  /// bytes; 1 at least. Reads as many of their levels. Status::Invalid at the end of the chunk.
  Result<int64_t> RowsWithin(int64_t rows, int64_t bytes);

  /// Goes on to the next `rows` rows, at most as many as RowsWithin has said.
  Status Read(int64_t rows);

  /// The levels of the rows at hand. `repetition` is empty where the column does not repeat.
  std::span<const int16_t> definition() const { return {pages_->definition(), level_count_}; }
  std::span<const int16_t> repetition() const {
    if (pages_->repetition() == nullptr) return {};
    return {pages_->repetition(), level_count_};
  }

  /// The values of the rows at hand: one for each level of `max_definition`, none of them null.
  /// Null where only levels are read.
  const std::shared_ptr<arrow::Array>& values() const { return values_; }

  const DataType& type() const { return type_; }
  int16_t max_definition() const { return max_definition_; }
  int16_t max_repetition() const { return max_repetition_; }

 private:
  NestedLeaf(const parquet::ColumnDescriptor& column, DataType type, int64_t entry_bytes,
             arrow::MemoryPool* pool)
      : type_(std::move(type)),
        max_definition_(column.max_definition_level()),
        max_repetition_(column.max_repetition_level()),
        entry_bytes_(entry_bytes),
        pool_(pool),
        values_column_(column.schema_node(), 0, 0) {}

  /// Where the row ends that begins at level `begin`, and does not before level `searched`.
  int64_t EndOfRow(int64_t begin, int64_t searched) const;

  const DataType type_;
  const int16_t max_definition_;
  const int16_t max_repetition_;
  const int64_t entry_bytes_;
  arrow::MemoryPool* pool_;
  const parquet::ColumnDescriptor values_column_;  // as if all of its values were required
  std::unique_ptr<LevelPages> levels_only_;        // where there is no decoder
  LevelPages* pages_ = nullptr;                    // of the decoder, or these
  std::unique_ptr<ColumnDecoder> decoder_;
  size_t level_count_ = 0;  // of the rows at hand
  bool at_end_ = false;     // all levels have been read
  std::shared_ptr<arrow::Array> values_;
};

}  // namespace reprise
