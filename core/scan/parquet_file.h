// A Parquet file: its path, its footer, and which of its row groups a split owns.
#pragma once

#include <arrow/memory_pool.h>
#include <parquet/file_reader.h>

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace reprise {

class RemoteFile;

/// An open Parquet file whose footer has been read.
class ParquetFile {
 public:
  /// Opens the file at `location` (scan/file_location.h). Missing, cut, corrupt and encrypted files
  /// are errors that name the file.
  static Result<std::unique_ptr<ParquetFile>> Open(const std::string& location,
                                                   arrow::MemoryPool* pool);
  /// The same for a file that does not lie on a local file system; its path is its location.
  static Result<std::unique_ptr<ParquetFile>> Open(std::shared_ptr<RemoteFile> file,
                                                   arrow::MemoryPool* pool);

  const std::string& path() const { return path_; }
  const parquet::FileMetaData& metadata() const { return *metadata_; }
  parquet::ParquetFileReader& reader() { return *reader_; }
  /// Its row groups are too large to be held: their chunks are read piece by piece.
  bool is_read_in_pieces() const { return is_read_in_pieces_; }

 private:
  static Result<std::unique_ptr<ParquetFile>> OpenAt(
      const std::string& path, std::shared_ptr<arrow::io::RandomAccessFile> input,
      arrow::MemoryPool* pool);
  ParquetFile(std::string path, std::unique_ptr<parquet::ParquetFileReader> reader,
              bool is_read_in_pieces)
      : path_(std::move(path)),
        reader_(std::move(reader)),
        metadata_(reader_->metadata()),
        is_read_in_pieces_(is_read_in_pieces) {}

  std::string path_;
  std::unique_ptr<parquet::ParquetFileReader> reader_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  bool is_read_in_pieces_;
};

/// The row groups, ascending, that the split of the bytes [start, start + length) owns: those whose
/// midpoint lies in it, as parquet-java's ParquetMetadataConverter.filterFileMetaDataByMidpoint has
/// it, so that the splits of a file together read every row group once.
std::vector<int> RowGroupsOfSplit(const parquet::FileMetaData& metadata, int64_t start,
                                  int64_t length);

}  // namespace reprise
