#include "scan/parquet_row_groups.h"

#include <arrow/array/util.h>
#include <fmt/format.h>

#include <algorithm>

#include "scan/parquet_errors.h"
#include "scan/parquet_pruning.h"
#include "scan/remote_file.h"

namespace reprise {

namespace {

// What is read in vain between two chunks rather than ask for them apart.
constexpr int64_t kHoleBytesMax = 128 << 10;
constexpr int64_t kRangeBytesMax = int64_t{16} << 20;

}  // namespace

Result<std::unique_ptr<ParquetRowGroups>> ParquetRowGroups::Open(
    const std::string& location, const ParquetProjection& projection, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto file, ParquetFile::Open(location, pool));
  return Of(std::move(file), projection, pool);
}

Result<std::unique_ptr<ParquetRowGroups>> ParquetRowGroups::Open(
    std::shared_ptr<RemoteFile> remote, const ParquetProjection& projection,
    arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto file, ParquetFile::Open(remote, pool));
  ARROW_ASSIGN_OR_RAISE(auto groups, Of(std::move(file), projection, pool));
  groups->remote_ = std::move(remote);
  return groups;
}

Result<std::unique_ptr<ParquetRowGroups>> ParquetRowGroups::Of(std::unique_ptr<ParquetFile> file,
                                                               const ParquetProjection& projection,
                                                               arrow::MemoryPool* pool) {
  std::unique_ptr<ParquetRowGroups> groups(new ParquetRowGroups(projection, pool));
  groups->file_ = std::move(file);
  const auto& metadata = groups->file_->metadata();
  groups->rebase_ = RebaseModesOf(metadata.key_value_metadata().get(), projection.rebase);
  ARROW_ASSIGN_OR_RAISE(groups->leaves_,
                        MatchColumns(*metadata.schema(), projection.columns,
                                     projection.case_sensitive, groups->file_->path()));
  return groups;
}

Result<std::vector<int>> ParquetRowGroups::RowGroupsOf(int64_t start, int64_t length) const {
  return GuardParquet(
      [&]() -> Result<std::vector<int>> {
        return RowGroupsOfSplit(file_->metadata(), start, length);
      },
      [&](std::string_view why) { return DataError(file_->path(), why); });
}

ColumnRange ParquetRowGroups::ColumnRangeOf(const parquet::RowGroupMetaData& row_group,
                                            int column) const {
  ColumnRange range;
  if (column >= static_cast<int>(leaves_.size())) return range;
  const int leaf = leaves_[column].statistics;
  if (leaf < 0) {
    range.all_null = true;
    return range;
  }
  const auto& descriptor = *row_group.schema()->Column(leaf);
  const DataType& type = projection_.columns[column].type;
  const auto conversion = ConversionFor(descriptor, type);
  if (!conversion) return range;
  return RangeOf(*row_group.ColumnChunk(leaf), descriptor, *conversion, type, rebase_);
}

Result<bool> ParquetRowGroups::CanSkip(int row_group, const RowGroupPruner& pruner) const {
  if (!pruner.has_conditions()) return false;
  return GuardParquet(
      [&]() -> Result<bool> {
        const auto metadata = file_->metadata().RowGroup(row_group);
        return pruner.CanSkip([&](int column) { return ColumnRangeOf(*metadata, column); });
      },
      [&](std::string_view why) { return DataError(file_->path(), why); });
}

Status ParquetRowGroups::StartColumn(int column, const parquet::RowGroupMetaData& row_group) {
  const int leaf = leaves_[column].values;
  const DataType& type = projection_.columns[column].type;
  const auto& descriptor = *row_group.schema()->Column(leaf);
  const auto conversion = ConversionFor(descriptor, type);
  if (!projection_.widens && IsInstantAsLocal(descriptor, type)) {
    return DataError(file_->path(),
                     fmt::format("column {} has instants, which Spark 3.5 does not read as {}",
                                 descriptor.path()->ToDotString(), type.ToString()));
  }
  if (!conversion || (!projection_.widens && !IsReadBeforeSpark4(descriptor, type))) {
    return ColumnTypeError(file_->path(), descriptor.path()->ToDotString(), type,
                           SparkPhysicalName(descriptor));
  }
  const auto chunk = row_group.ColumnChunk(leaf);
  if (chunk->num_values() != row_group.num_rows()) {
    return Status::Invalid("column ", descriptor.path()->ToDotString(), " has ",
                           chunk->num_values(), " values in a row group of ", row_group.num_rows(),
                           " rows");
  }
  chunk_bytes_ += chunk->total_compressed_size();
  ARROW_ASSIGN_OR_RAISE(
      decoders_[column],
      MakeColumnDecoder({reader_->GetColumnPageReader(leaf), &descriptor, *conversion, type,
                         rebase_, &projection_.instants, pool_}));
  return Status::OK();
}

int64_t ParquetRowGroups::PlainBytes(const parquet::RowGroupMetaData& row_group) const {
  int64_t bytes = 0;
  for (const ColumnMatch& leaf : leaves_) {
    if (leaf.values < 0) continue;
    bytes += row_group.ColumnChunk(leaf.values)->total_uncompressed_size();
  }
  return bytes;
}

// Near ones as one range.
Result<std::vector<arrow::io::ReadRange>> ParquetRowGroups::ChunksOf(int row_group) const {
  return GuardParquet(
      [&]() -> Result<std::vector<arrow::io::ReadRange>> {
        // Spark looks at no column of a row group without rows.
        if (file_->metadata().RowGroup(row_group)->num_rows() == 0) {
          return std::vector<arrow::io::ReadRange>();
        }
        std::vector<int> columns;
        for (const ColumnMatch& leaf : leaves_) {
          if (leaf.values >= 0) columns.push_back(leaf.values);
        }
        return file_->reader().GetReadRanges({row_group}, columns, kHoleBytesMax, kRangeBytesMax);
      },
      [&](std::string_view why) { return DataError(file_->path(), why); });
}

Status ParquetRowGroups::Fetch(int row_group) {
  if (remote_ == nullptr) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const auto chunks, ChunksOf(row_group));
  return remote_->Start(chunks);
}

Result<int64_t> ParquetRowGroups::FetchAhead(int row_group, int64_t bytes_max) {
  if (remote_ == nullptr) return bytes_max;
  ARROW_ASSIGN_OR_RAISE(const auto chunks, ChunksOf(row_group));
  return remote_->StartAhead(chunks, bytes_max);
}

Status ParquetRowGroups::Start(int row_group) {
  decoders_.clear();
  decoders_.resize(leaves_.size());
  chunk_bytes_ = 0;
  row_bytes_ = 1;
  rows_left_ = 0;
  if (remote_ == nullptr) return StartColumns(row_group);
  ARROW_ASSIGN_OR_RAISE(const auto chunks, ChunksOf(row_group));
  RETURN_NOT_OK(remote_->Start(chunks));
  RETURN_NOT_OK(StartColumns(row_group));
  remote_->Drop(chunks);
  return Status::OK();
}

Status ParquetRowGroups::StartColumns(int row_group) {
  return GuardParquet(
      [&]() -> Status {
        const auto metadata = file_->metadata().RowGroup(row_group);
        reader_ = file_->reader().RowGroup(row_group);
        // As above.
        const size_t columns = metadata->num_rows() != 0 ? leaves_.size() : 0;
        for (size_t column = 0; column < columns; ++column) {
          if (leaves_[column].values < 0) continue;
          const Status started = StartColumn(static_cast<int>(column), *metadata);
          if (started.IsInvalid() && SparkErrorOf(started) == nullptr) {
            return DataError(file_->path(), started.message());
          }
          RETURN_NOT_OK(started);
        }
        rows_left_ = metadata->num_rows();
        row_bytes_ = std::max<int64_t>(1, PlainBytes(*metadata) / std::max<int64_t>(1, rows_left_));
        return Status::OK();
      },
      [&](std::string_view why) { return DataError(file_->path(), why); });
}

Result<std::vector<std::shared_ptr<arrow::Array>>> ParquetRowGroups::Read(int64_t rows) {
  std::vector<std::shared_ptr<arrow::Array>> arrays(leaves_.size());
  for (size_t column = 0; column < leaves_.size(); ++column) {
    if (decoders_[column] == nullptr) {
      ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(projection_.columns[column].type));
      ARROW_ASSIGN_OR_RAISE(arrays[column], arrow::MakeArrayOfNull(type, rows, pool_));
      continue;
    }
    const auto error = [&](std::string_view why) {
      return DataError(file_->path(),
                       fmt::format("column {}: {}", projection_.columns[column].name, why));
    };
    auto read = GuardParquet([&] { return decoders_[column]->Read(rows); }, error);
    if (read.status().IsInvalid() && SparkErrorOf(read.status()) == nullptr) {
      return error(read.status().message());
    }
    ARROW_ASSIGN_OR_RAISE(arrays[column], std::move(read));
  }
  rows_left_ -= rows;
  return arrays;
}

}  // namespace reprise
