#include "scan/parquet_file.h"

#include <arrow/io/file.h>
#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <optional>

#include "scan/file_location.h"
#include "scan/parquet_errors.h"
#include "scan/remote_file.h"

namespace reprise {

namespace {

// Its length and Parquet's mark.
constexpr int64_t kFooterEndBytes = 8;
// A row group that takes more is not held as a whole: its chunks are read piece by piece.
constexpr int64_t kHeldGroupBytes = int64_t{256} << 20;
constexpr int64_t kStreamBytes = int64_t{4} << 20;

Status EncryptedError(const std::string& path) {
  return Status::NotImplemented(
      path,
      " is encrypted; encrypted Parquet files cannot be read natively: set "
      "spark.reprise.sql.enabled=false for this query");
}

bool HasEncryptedColumns(const parquet::FileMetaData& metadata) {
  if (metadata.num_row_groups() == 0) return false;
  const auto row_group = metadata.RowGroup(0);
  for (int i = 0; i < row_group->num_columns(); ++i) {
    if (row_group->ColumnChunk(i)->crypto_metadata() != nullptr) return true;
  }
  return false;
}

bool HasLargeRowGroups(const parquet::FileMetaData& metadata) {
  for (int i = 0; i < metadata.num_row_groups(); ++i) {
    const auto row_group = metadata.RowGroup(i);
    const int64_t compressed = row_group->total_compressed_size();  // 0: absent
    if ((compressed > 0 ? compressed : row_group->total_byte_size()) > kHeldGroupBytes) return true;
  }
  return false;
}

// How many of the file's last bytes are its footer, as they themselves say; 0 where they say
// nothing that can be true.
Result<int64_t> FooterBytes(RemoteFile& file) {
  ARROW_ASSIGN_OR_RAISE(const int64_t size, file.GetSize());
  if (size < kFooterEndBytes) return 0;
  ARROW_ASSIGN_OR_RAISE(const auto end, file.ReadAt(size - kFooterEndBytes, kFooterEndBytes));
  const uint8_t* data = end->data();
  uint32_t length = 0;
  for (int i = 3; i >= 0; --i) length = length << 8 | data[i];
  const int64_t bytes = length + kFooterEndBytes;
  return bytes <= size ? bytes : 0;
}

}  // namespace

Result<std::unique_ptr<ParquetFile>> ParquetFile::Open(const std::string& location,
                                                       arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(std::string path, LocalPath(location));
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return MissingFileError(path);
  ARROW_ASSIGN_OR_RAISE(auto input, arrow::io::ReadableFile::Open(path, pool));
  return OpenAt(path, std::move(input), pool);
}

Result<std::unique_ptr<ParquetFile>> ParquetFile::Open(std::shared_ptr<RemoteFile> file,
                                                       arrow::MemoryPool* pool) {
  const auto grown = [&]() -> Status {
    ARROW_ASSIGN_OR_RAISE(const int64_t footer, FooterBytes(*file));
    return file->GrowTail(footer);
  };
  const Status status = grown();
  if (IsAboutFile(status)) return FooterError(file->location(), status.message());
  RETURN_NOT_OK(status);
  const std::string path = file->location();
  return OpenAt(path, std::move(file), pool);
}

Result<std::unique_ptr<ParquetFile>> ParquetFile::OpenAt(
    const std::string& path, std::shared_ptr<arrow::io::RandomAccessFile> input,
    arrow::MemoryPool* pool) {
  return GuardParquet(
      [&]() -> Result<std::unique_ptr<ParquetFile>> {
        parquet::ReaderProperties properties(pool);
        auto reader = parquet::ParquetFileReader::Open(input, properties);
        const bool is_large = HasLargeRowGroups(*reader->metadata());
        if (is_large) {
          properties.enable_buffered_stream();
          properties.set_buffer_size(kStreamBytes);
          reader = parquet::ParquetFileReader::Open(input, properties, reader->metadata());
        }
        std::unique_ptr<ParquetFile> file(new ParquetFile(path, std::move(reader), is_large));
        if (HasEncryptedColumns(file->metadata())) return EncryptedError(path);
        return file;
      },
      [&](std::string_view why) {
        // libparquet has one exception for all; that of an encrypted footer is known by its text.
        if (why.find("ncrypted") != std::string_view::npos) return EncryptedError(path);
        return FooterError(path, why);
      });
}

std::vector<int> RowGroupsOfSplit(const parquet::FileMetaData& metadata, int64_t start,
                                  int64_t length) {
  std::vector<int> owned;
  for (int i = 0; i < metadata.num_row_groups(); ++i) {
    const auto row_group = metadata.RowGroup(i);
    if (row_group->num_columns() == 0) continue;
    const auto first = row_group->ColumnChunk(0);
    int64_t offset = first->data_page_offset();
    if (first->has_dictionary_page()) offset = std::min(offset, first->dictionary_page_offset());
    int64_t size = row_group->total_compressed_size();
    if (size == 0) {  // absent
      for (int c = 0; c < row_group->num_columns(); ++c) {
        size += row_group->ColumnChunk(c)->total_compressed_size();
      }
    }
    const int64_t midpoint = offset + size / 2;
    if (midpoint >= start && midpoint - start < length) owned.push_back(i);
  }
  return owned;
}

}  // namespace reprise
