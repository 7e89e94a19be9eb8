// Reads the row groups of one file, one after the other.
#pragma once

#include <arrow/array.h>
#include <arrow/io/type_fwd.h>
#include <arrow/scalar.h>

#include <memory>
#include <vector>

#include "scan/parquet_column_decoder.h"
#include "scan/parquet_column_match.h"
#include "scan/parquet_file.h"
#include "scan/parquet_statistics.h"

namespace reprise {

class RemoteFile;
class RowGroupPruner;

/// What of every file a scan reads.
struct ParquetProjection {
  std::vector<Field> columns;
  /// Of each column its value in files that lack it, or null; empty: null for all.
  std::vector<std::shared_ptr<arrow::Scalar>> defaults;
  ColumnMatching matching;
  bool widens = true;      ///< files may have narrower types: not before Spark 4
  RebaseModes rebase;      ///< for files that no Spark wrote
  InstantRebase instants;  ///< for files in the hybrid calendar

  std::shared_ptr<arrow::Scalar> DefaultOf(size_t column) const {
    return defaults.empty() ? nullptr : defaults[column];
  }
};

/// An open file with the columns of a projection found in it.
class ParquetRowGroups {
 public:
  static Result<std::unique_ptr<ParquetRowGroups>> Open(const std::string& location,
                                                        const ParquetProjection& projection,
                                                        arrow::MemoryPool* pool);
  /// The same for a file that does not lie on a local file system.
  static Result<std::unique_ptr<ParquetRowGroups>> Open(std::shared_ptr<RemoteFile> file,
                                                        const ParquetProjection& projection,
                                                        arrow::MemoryPool* pool);

  /// The row groups that a split owns; see RowGroupsOfSplit.
  Result<std::vector<int>> RowGroupsOf(int64_t start, int64_t length) const;

  /// Whether the row group's statistics prove that no row of it is wanted. Columns of the output
  /// beyond the projection's (partition columns) are not known.
  Result<bool> CanSkip(int row_group, const RowGroupPruner& pruner) const;

  /// Has the chunks of a row group of a remote file fetched before it starts.
  Status Fetch(int row_group);
  /// The same for one that is not the next: as far as they take no more than `bytes_max` bytes, and
  /// there is memory for them. Returns what is left of `bytes_max` beside those that are fetched or
  /// were fetched before; 0 where not all are.
  Result<int64_t> FetchAhead(int row_group, int64_t bytes_max);

  /// Starts to read a row group.
  Status Start(int row_group);

  /// Rows of the current row group that have not been read yet.
  int64_t rows_left() const { return rows_left_; }

  /// About how many bytes a row of the current row group has in the columns that are read; 1 at
  /// least.
  int64_t row_bytes() const { return row_bytes_; }

  /// Compressed bytes of the current row group's chunks that are read.
  int64_t chunk_bytes() const { return chunk_bytes_; }

  /// How many of the next `rows` rows (at most rows_left()) to read together lest they take far
  /// more than `bytes` bytes, where single rows of nested columns are much larger than others; 1 at
  /// least.
  Result<int64_t> RowsWithin(int64_t rows, int64_t bytes);

  /// The next `rows` rows (at most rows_left()) of the projection's columns.
  Result<std::vector<std::shared_ptr<arrow::Array>>> Read(int64_t rows);

 private:
  static Result<std::unique_ptr<ParquetRowGroups>> Of(std::unique_ptr<ParquetFile> file,
                                                      const ParquetProjection& projection,
                                                      arrow::MemoryPool* pool);
  ParquetRowGroups(const ParquetProjection& projection, arrow::MemoryPool* pool)
      : projection_(projection), pool_(pool) {}

  /// What rows have of a column that the file lacks.
  Result<std::shared_ptr<arrow::Array>> Missing(size_t column, int64_t rows) const;
  ColumnRange ColumnRangeOf(const parquet::RowGroupMetaData& row_group, int column) const;
  int64_t PlainBytes(const parquet::RowGroupMetaData& row_group) const;
  Result<std::vector<arrow::io::ReadRange>> ChunksOf(int row_group) const;
  Status StartColumns(int row_group);
  int64_t FirstRowOf(int row_group) const;
  Result<std::shared_ptr<arrow::Array>> RowNumbers(int64_t rows) const;
  Status StartColumn(int column, const parquet::RowGroupMetaData& row_group);
  Result<std::unique_ptr<ColumnDecoder>> StartFlat(int column,
                                                   const parquet::RowGroupMetaData& row_group);
  Result<std::unique_ptr<ColumnDecoder>> StartNested(int column,
                                                     const parquet::RowGroupMetaData& row_group);
  /// A leaf column's chunk, of which only the levels are to be read.
  ColumnChunkSource LevelsOf(int leaf, const parquet::RowGroupMetaData& row_group);
  /// A leaf column's chunk, to be read as `type`.
  Result<ColumnChunkSource> SourceOf(int leaf, const DataType& type,
                                     const parquet::RowGroupMetaData& row_group);
  /// What `body`, which reads a column, gives; its errors name the file and the column.
  template <typename Body>
  auto Guarded(size_t column, Body&& body) -> decltype(body());

  const ParquetProjection& projection_;
  arrow::MemoryPool* pool_;
  std::shared_ptr<RemoteFile> remote_;  // null: it is local
  std::unique_ptr<ParquetFile> file_;
  RebaseModes rebase_;
  std::vector<ColumnMatch> columns_;  // per column of the projection
  std::shared_ptr<parquet::RowGroupReader> reader_;
  std::vector<std::unique_ptr<ColumnDecoder>> decoders_;  // null where the file has no such column
  int64_t rows_left_ = 0;
  int64_t row_number_ = 0;  // in the file, of the next row
  int64_t chunk_bytes_ = 0;
  int64_t row_bytes_ = 1;
};

}  // namespace reprise
