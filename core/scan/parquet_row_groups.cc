#include "scan/parquet_row_groups.h"

#include <arrow/array/util.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "scan/parquet_errors.h"
#include "scan/parquet_nested_column.h"
#include "scan/partition_columns.h"
#include "scan/remote_file.h"
#include "scan/row_group_pruner.h"

namespace reprise {

namespace {

// What is read in vain between two chunks rather than ask for them apart.
constexpr int64_t kHoleBytesMax = 128 << 10;
constexpr int64_t kRangeBytesMax = int64_t{16} << 20;
// What a value of a nested column takes in a batch beside itself, about: its part of what it stands
// in.
constexpr int64_t kNestedEntryBytes = 16;

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
  ARROW_ASSIGN_OR_RAISE(groups->columns_, MatchColumns(*metadata.schema(), projection.columns,
                                                       projection.matching, groups->file_->path()));
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
  if (column >= static_cast<int>(columns_.size())) return range;
  if (columns_[column].is_missing()) {
    range.all_null = projection_.DefaultOf(column) == nullptr;
    range.no_nulls = !range.all_null;
    return range;
  }
  const int leaf = columns_[column].statistics;
  if (leaf < 0 || projection_.columns[column].type.is(TypeKind::kOther)) return range;
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

ColumnChunkSource ParquetRowGroups::LevelsOf(int leaf, const parquet::RowGroupMetaData& row_group) {
  chunk_bytes_ += row_group.ColumnChunk(leaf)->total_compressed_size();
  return {reader_->GetColumnPageReader(leaf),
          row_group.schema()->Column(leaf),
          ParquetConversion::kNull,
          {TypeKind::kNull},
          rebase_,
          &projection_.instants,
          pool_};
}

Result<ColumnChunkSource> ParquetRowGroups::SourceOf(int leaf, const DataType& type,
                                                     const parquet::RowGroupMetaData& row_group) {
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
  ColumnChunkSource source = LevelsOf(leaf, row_group);
  source.conversion = *conversion;
  source.type = StoredType(type);
  return source;
}

Result<std::unique_ptr<ColumnDecoder>> ParquetRowGroups::StartFlat(
    int column, const parquet::RowGroupMetaData& row_group) {
  const int leaf = columns_[column].leaves.front();
  ARROW_ASSIGN_OR_RAISE(auto source, SourceOf(leaf, projection_.columns[column].type, row_group));
  const int64_t values = row_group.ColumnChunk(leaf)->num_values();
  if (values != row_group.num_rows()) {
    return Status::Invalid("column ", source.column->path()->ToDotString(), " has ", values,
                           " values in a row group of ", row_group.num_rows(), " rows");
  }
  return MakeColumnDecoder(std::move(source));
}

Result<std::unique_ptr<ColumnDecoder>> ParquetRowGroups::StartNested(
    int column, const parquet::RowGroupMetaData& row_group) {
  return NestedColumn::Make(
      *columns_[column].nested,
      [&](int leaf, const DataType* type) -> Result<std::unique_ptr<NestedLeaf>> {
        auto source = type != nullptr ? SourceOf(leaf, *type, row_group)
                                      : Result<ColumnChunkSource>(LevelsOf(leaf, row_group));
        RETURN_NOT_OK(source.status());
        const auto chunk = row_group.ColumnChunk(leaf);
        const int64_t value_bytes =
            chunk->total_uncompressed_size() / std::max<int64_t>(1, chunk->num_values());
        return NestedLeaf::Make(*std::move(source), value_bytes + kNestedEntryBytes);
      },
      pool_);
}

Status ParquetRowGroups::StartColumn(int column, const parquet::RowGroupMetaData& row_group) {
  ARROW_ASSIGN_OR_RAISE(decoders_[column], columns_[column].nested != nullptr
                                               ? StartNested(column, row_group)
                                               : StartFlat(column, row_group));
  return Status::OK();
}

int64_t ParquetRowGroups::PlainBytes(const parquet::RowGroupMetaData& row_group) const {
  int64_t bytes = 0;
  for (const ColumnMatch& column : columns_) {
    for (const int leaf : column.leaves) {
      bytes += row_group.ColumnChunk(leaf)->total_uncompressed_size();
    }
  }
  return bytes;
}

// Near ones as one range.
Result<std::vector<arrow::io::ReadRange>> ParquetRowGroups::ChunksOf(int row_group) const {
  return GuardParquet(
      [&]() -> Result<std::vector<arrow::io::ReadRange>> {
        // Spark looks at no column of a row group without rows.
        if (file_->is_read_in_pieces() || file_->metadata().RowGroup(row_group)->num_rows() == 0) {
          return std::vector<arrow::io::ReadRange>();
        }
        std::vector<int> leaves;
        for (const ColumnMatch& column : columns_) {
          leaves.insert(leaves.end(), column.leaves.begin(), column.leaves.end());
        }
        return file_->reader().GetReadRanges({row_group}, leaves, kHoleBytesMax, kRangeBytesMax);
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
  decoders_.resize(columns_.size());
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
        const size_t columns = metadata->num_rows() != 0 ? columns_.size() : 0;
        for (size_t column = 0; column < columns; ++column) {
          if (columns_[column].leaves.empty()) continue;
          const Status started = StartColumn(static_cast<int>(column), *metadata);
          if (started.IsInvalid() && SparkErrorOf(started) == nullptr) {
            return DataError(file_->path(), started.message());
          }
          RETURN_NOT_OK(started);
        }
        rows_left_ = metadata->num_rows();
        row_number_ = FirstRowOf(row_group);
        row_bytes_ = std::max<int64_t>(1, PlainBytes(*metadata) / std::max<int64_t>(1, rows_left_));
        return Status::OK();
      },
      [&](std::string_view why) { return DataError(file_->path(), why); });
}

template <typename Body>
auto ParquetRowGroups::Guarded(size_t column, Body&& body) -> decltype(body()) {
  const auto error = [&](std::string_view why) {
    return DataError(file_->path(),
                     fmt::format("column {}: {}", projection_.columns[column].name, why));
  };
  auto result = GuardParquet(body, error);
  if (result.status().IsInvalid() && SparkErrorOf(result.status()) == nullptr) {
    return error(result.status().message());
  }
  return result;
}

Result<int64_t> ParquetRowGroups::RowsWithin(int64_t rows, int64_t bytes) {
  for (size_t column = 0; column < columns_.size(); ++column) {
    if (decoders_[column] == nullptr) continue;
    ARROW_ASSIGN_OR_RAISE(
        rows, Guarded(column, [&] { return decoders_[column]->RowsWithin(rows, bytes); }));
  }
  return rows;
}

int64_t ParquetRowGroups::FirstRowOf(int row_group) const {
  int64_t rows = 0;
  for (int i = 0; i < row_group; ++i) rows += file_->metadata().RowGroup(i)->num_rows();
  return rows;
}

Result<std::shared_ptr<arrow::Array>> ParquetRowGroups::RowNumbers(int64_t rows) const {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                        arrow::AllocateBuffer(rows * int64_t{sizeof(int64_t)}, pool_));
  auto* const numbers = reinterpret_cast<int64_t*>(buffer->mutable_data());
  std::iota(numbers, numbers + rows, row_number_);
  return std::make_shared<arrow::Int64Array>(rows, std::move(buffer));
}

Result<std::shared_ptr<arrow::Array>> ParquetRowGroups::Missing(size_t column, int64_t rows) const {
  if (const auto value = projection_.DefaultOf(column)) return ConstantColumn(value, rows, pool_);
  ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(projection_.columns[column].type));
  return arrow::MakeArrayOfNull(type, rows, pool_);
}

Result<std::vector<std::shared_ptr<arrow::Array>>> ParquetRowGroups::Read(int64_t rows) {
  std::vector<std::shared_ptr<arrow::Array>> arrays(columns_.size());
  for (size_t column = 0; column < columns_.size(); ++column) {
    if (columns_[column].is_row_number) {
      ARROW_ASSIGN_OR_RAISE(arrays[column], RowNumbers(rows));
      continue;
    }
    if (decoders_[column] == nullptr) {
      ARROW_ASSIGN_OR_RAISE(arrays[column], Missing(column, rows));
      continue;
    }
    ARROW_ASSIGN_OR_RAISE(arrays[column],
                          Guarded(column, [&] { return decoders_[column]->Read(rows); }));
  }
  rows_left_ -= rows;
  row_number_ += rows;
  return arrays;
}

}  // namespace reprise
