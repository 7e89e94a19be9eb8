// The footer, the row groups and their pages are libparquet's; it is driven by its parts and not
// by its ParquetFileWriter for the statistics of floating-point columns. Readers that order NaN
// above all numbers, as Spark does, must not be told of a greatest number where there is a NaN:
// like parquet-mr, nothing is said of such a column of a row group then.
#include "write/written_file.h"

#include <arrow/io/interfaces.h>
#include <arrow/util/byte_size.h>
#include <parquet/bloom_filter_writer.h>
#include <parquet/column_page.h>
#include <parquet/column_writer.h>
#include <parquet/file_writer.h>
#include <parquet/metadata.h>
#include <parquet/page_index.h>

#include <algorithm>
#include <cstring>
#include <deque>

#include "transitions/nested_column.h"
#include "write/column_encoder.h"
#include "write/parquet_guard.h"

namespace reprise {

namespace {

// Rows are encoded a part of a row group at a time, so that it ends where it is full, but not one
// by one.
constexpr int64_t kPartsOfGroup = 16;
constexpr int64_t kLeastRows = 100;

/// How many of the columns' rows make such a part, about.
Result<int64_t> RowsOfPart(std::span<const std::shared_ptr<arrow::Array>> columns,
                           int64_t group_bytes) {
  const int64_t rows = columns[0]->length();
  int64_t bytes = 0;
  for (const auto& column : columns) {
    ARROW_ASSIGN_OR_RAISE(const int64_t of_column, arrow::util::ReferencedBufferSize(*column));
    bytes += of_column;
  }
  const int64_t parts = bytes / std::max<int64_t>(1, group_bytes / kPartsOfGroup) + 1;
  return std::max(rows / parts, kLeastRows);
}

// What comes in less is put together.
constexpr int64_t kCopiedBytesMax = int64_t{64} << 10;

}  // namespace

/// Hands pages on, without least and greatest values where these must not be told.
class PagesOfColumn final : public parquet::PageWriter {
 public:
  PagesOfColumn(std::unique_ptr<parquet::PageWriter> pages,
                parquet::ColumnChunkMetaDataBuilder* metadata)
      : pages_(std::move(pages)), metadata_(metadata) {}

  /// From now on no least and greatest values are told, of the column in this row group as a whole.
  void KeepBoundsBack() { keeps_bounds_back_ = true; }

  void Close(bool has_dictionary, bool fallback) override {
    if (keeps_bounds_back_) {
      parquet::EncodedStatistics statistics;
      statistics.set_null_count(null_count_);
      metadata_->SetStatistics(statistics);
    }
    pages_->Close(has_dictionary, fallback);
  }

  int64_t WriteDataPage(const parquet::DataPage& page) override {
    null_count_ += page.statistics().null_count;
    if (!keeps_bounds_back_) return pages_->WriteDataPage(page);
    const auto& data = static_cast<const parquet::DataPageV1&>(page);
    parquet::EncodedStatistics statistics = page.statistics();
    statistics.ClearMinMax();
    return pages_->WriteDataPage(parquet::DataPageV1(
        data.buffer(), data.num_values(), data.encoding(), data.definition_level_encoding(),
        data.repetition_level_encoding(), data.uncompressed_size(), std::move(statistics),
        data.first_row_index(), data.size_statistics()));
  }

  int64_t WriteDictionaryPage(const parquet::DictionaryPage& page) override {
    return pages_->WriteDictionaryPage(page);
  }
  int64_t total_compressed_bytes_written() const override {
    return pages_->total_compressed_bytes_written();
  }
  bool has_compressor() override { return pages_->has_compressor(); }
  void Compress(const parquet::Buffer& from, parquet::ResizableBuffer* to) override {
    pages_->Compress(from, to);
  }

 private:
  std::unique_ptr<parquet::PageWriter> pages_;
  parquet::ColumnChunkMetaDataBuilder* const metadata_;
  bool keeps_bounds_back_ = false;
  int64_t null_count_ = 0;
};

/// Keeps what is written until it is taken.
class WrittenFile::Sink final : public arrow::io::OutputStream {
 public:
  explicit Sink(arrow::MemoryPool* pool) : pool_(pool) {}

  Status Close() override { return Status::OK(); }
  bool closed() const override { return false; }
  Result<int64_t> Tell() const override { return position_; }

  Status Write(const void* data, int64_t bytes) override {
    if (bytes == 0) return Status::OK();
    // One buffer for many of the few bytes of a footer.
    if (last_ == nullptr || last_->size() + bytes > last_->capacity()) {
      ARROW_ASSIGN_OR_RAISE(last_, arrow::AllocateResizableBuffer(0, pool_));
      RETURN_NOT_OK(last_->Reserve(std::max(bytes, kCopiedBytesMax)));
      buffers_.push_back(last_);
    }
    const int64_t before = last_->size();
    RETURN_NOT_OK(last_->Resize(before + bytes, /*shrink_to_fit=*/false));
    std::memcpy(last_->mutable_data() + before, data, static_cast<size_t>(bytes));
    position_ += bytes;
    return Status::OK();
  }

  Status Write(const std::shared_ptr<arrow::Buffer>& data) override {
    if (data->size() <= kCopiedBytesMax) return Write(data->data(), data->size());
    last_.reset();
    buffers_.push_back(data);
    position_ += data->size();
    return Status::OK();
  }

  std::shared_ptr<arrow::Buffer> Take(int64_t bytes_max) {
    if (buffers_.empty()) return nullptr;
    std::shared_ptr<arrow::Buffer>& first = buffers_.front();
    if (first->size() > bytes_max) {
      auto piece = arrow::SliceBuffer(first, 0, bytes_max);
      first = arrow::SliceBuffer(first, bytes_max);
      return piece;
    }
    if (first == last_) last_.reset();
    auto whole = std::move(first);
    buffers_.pop_front();
    return whole;
  }

 private:
  arrow::MemoryPool* const pool_;
  std::deque<std::shared_ptr<arrow::Buffer>> buffers_;
  std::shared_ptr<arrow::ResizableBuffer>
      last_;  // of buffers_, to which more may be added; or null
  int64_t position_ = 0;
};

/// What the footer will say.
struct WrittenFile::Contents {
  explicit Contents(const FileLayout& layout)
      : metadata(parquet::FileMetaDataBuilder::Make(&layout.schema, layout.properties)),
        index(parquet::PageIndexBuilder::Make(&layout.schema)),
        bloom_filters(parquet::BloomFilterBuilder::Make(&layout.schema, layout.properties.get())) {}

  std::unique_ptr<parquet::FileMetaDataBuilder> metadata;
  std::unique_ptr<parquet::PageIndexBuilder> index;
  std::unique_ptr<parquet::BloomFilterBuilder> bloom_filters;
};

class WrittenFile::RowGroup {
 public:
  RowGroup(const FileLayout& layout, const std::shared_ptr<Sink>& sink, Contents* contents,
           int16_t ordinal, arrow::MemoryPool* pool)
      : layout_(layout),
        pool_(pool),
        metadata_(contents->metadata->AppendRowGroup()),
        ordinal_(ordinal) {
    contents->index->AppendRowGroup();
    contents->bloom_filters->AppendRowGroup();
    const parquet::WriterProperties& properties = *layout.properties;
    for (int i = 0; i < layout.schema.num_columns(); ++i) {
      const auto path = layout.schema.Column(i)->path();
      auto* const chunk = metadata_->NextColumnChunk();
      const auto options = properties.codec_options(path);
      auto pages = std::make_unique<PagesOfColumn>(
          parquet::PageWriter::Open(
              sink, properties.compression(path), chunk, ordinal, static_cast<int16_t>(i), pool,
              /*buffered_row_group=*/true, nullptr, nullptr, properties.page_checksum_enabled(),
              contents->index->GetColumnIndexBuilder(i), contents->index->GetOffsetIndexBuilder(i),
              options ? *options : parquet::CodecOptions{}),
          chunk);
      pages_.push_back(pages.get());
      writers_.push_back(parquet::ColumnWriter::Make(
          chunk, std::move(pages), &properties, contents->bloom_filters->CreateBloomFilter(i)));
    }
  }

  Status Write(std::span<const std::shared_ptr<arrow::Array>> columns) {
    size_t next = 0;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (layout_.nested[i]) {
        RETURN_NOT_OK(WriteNested(columns[i], i, &next));
        continue;
      }
      parquet::ColumnWriter* const writer = WriterFor(*columns[i], next++);
      RETURN_NOT_OK(WriteValues(*columns[i], layout_.columns[i], &scratch_, writer));
    }
    rows_ += columns[0]->length();
    return Status::OK();
  }

  int64_t bytes() const {
    int64_t bytes = 0;
    for (const auto& writer : writers_) {
      bytes += writer->total_compressed_bytes() + writer->total_compressed_bytes_written() +
               writer->estimated_buffered_value_bytes() +
               writer->estimated_buffered_def_level_bytes() +
               writer->estimated_buffered_dict_bytes();
    }
    return bytes;
  }

  void Close() {
    int64_t bytes = 0;
    for (const auto& writer : writers_) {
      writer->Close();
      bytes += writer->total_bytes_written();
    }
    metadata_->set_num_rows(rows_);
    metadata_->Finish(bytes, ordinal_);
  }

 private:
  /// Of the file's column `number`, to which `values` are written next.
  parquet::ColumnWriter* WriterFor(const arrow::Array& values, size_t number) {
    // Before, since a page may end among these rows.
    if (HasNaN(values)) pages_[number]->KeepBoundsBack();
    return writers_[number].get();
  }

  /// Column `i` of the rows, whose first column of the file is number `*next`.
  Status WriteNested(const std::shared_ptr<arrow::Array>& column, size_t i, size_t* next) {
    const WrittenColumn& written = layout_.columns[i];
    const NestedType& nested = *layout_.nested[i];
    ARROW_ASSIGN_OR_RAISE(const auto values, ReadableColumn(column, written.type, nested, pool_));
    const auto field = arrow::field(written.name, nested.arrow, written.nullable);
    ARROW_ASSIGN_OR_RAISE(const auto leaves, LeavesOf(values, *field, pool_));
    for (const LeafColumn& leaf : leaves) {
      RETURN_NOT_OK(WriteLeaf(leaf, &scratch_, WriterFor(*leaf.values, (*next)++)));
    }
    return Status::OK();
  }

  const FileLayout& layout_;
  arrow::MemoryPool* const pool_;
  parquet::RowGroupMetaDataBuilder* metadata_;
  const int16_t ordinal_;
  std::vector<PagesOfColumn*> pages_;  // of writers_
  std::vector<std::shared_ptr<parquet::ColumnWriter>> writers_;
  EncoderScratch scratch_;
  int64_t rows_ = 0;
};

WrittenFile::WrittenFile(std::shared_ptr<const FileLayout> layout, arrow::MemoryPool* pool)
    : layout_(std::move(layout)),
      pool_(pool),
      sink_(std::make_shared<Sink>(pool)),
      contents_(std::make_unique<Contents>(*layout_)) {}

WrittenFile::~WrittenFile() = default;

Result<std::unique_ptr<WrittenFile>> WrittenFile::Open(std::shared_ptr<const FileLayout> layout,
                                                       arrow::MemoryPool* pool) {
  return GuardWriting([&]() -> Result<std::unique_ptr<WrittenFile>> {
    std::unique_ptr<WrittenFile> file(new WrittenFile(std::move(layout), pool));
    RETURN_NOT_OK(file->sink_->Write(parquet::kParquetMagic, sizeof(parquet::kParquetMagic)));
    return file;
  });
}

Status WrittenFile::Write(std::span<const std::shared_ptr<arrow::Array>> columns) {
  if (columns.empty() || columns[0]->length() == 0) return Status::OK();
  return GuardWriting([&]() -> Status {
    const int64_t rows = columns[0]->length();
    ARROW_ASSIGN_OR_RAISE(const int64_t step, RowsOfPart(columns, layout_->row_group_bytes));
    std::vector<std::shared_ptr<arrow::Array>> part(columns.size());
    for (int64_t first = 0; first < rows; first += step) {
      std::ranges::transform(columns, part.begin(),
                             [&](const auto& column) { return column->Slice(first, step); });
      RETURN_NOT_OK(WritePart(part));
    }
    return Status::OK();
  });
}

Status WrittenFile::WritePart(std::span<const std::shared_ptr<arrow::Array>> columns) {
  if (!row_group_) {
    // As many as the format can number.
    if (row_groups_ > INT16_MAX) return Status::Invalid("a Parquet file has 32768 row groups");
    row_group_ = std::make_unique<RowGroup>(*layout_, sink_, contents_.get(),
                                            static_cast<int16_t>(row_groups_), pool_);
    ++row_groups_;
  }
  RETURN_NOT_OK(row_group_->Write(columns));
  rows_ += columns[0]->length();
  return row_group_->bytes() >= layout_->row_group_bytes ? EndRowGroup() : Status::OK();
}

int64_t WrittenFile::buffered_bytes() const { return row_group_ ? row_group_->bytes() : 0; }

Status WrittenFile::EndRowGroup() {
  if (!row_group_) return Status::OK();
  return GuardWriting([&]() -> Status {
    row_group_->Close();
    row_group_.reset();
    return Status::OK();
  });
}

Status WrittenFile::Close() {
  RETURN_NOT_OK(EndRowGroup());
  return GuardWriting([&]() -> Status {
    contents_->metadata->SetIndexLocations(parquet::IndexKind::kBloomFilter,
                                           contents_->bloom_filters->WriteTo(sink_.get()));
    contents_->index->Finish();
    const auto locations = contents_->index->WriteTo(sink_.get());
    contents_->metadata->SetIndexLocations(parquet::IndexKind::kColumnIndex,
                                           locations.column_index_locations);
    contents_->metadata->SetIndexLocations(parquet::IndexKind::kOffsetIndex,
                                           locations.offset_index_locations);
    const auto metadata = contents_->metadata->Finish(layout_->footer);
    parquet::WriteFileMetaData(*metadata, sink_.get());
    return Status::OK();
  });
}

std::shared_ptr<arrow::Buffer> WrittenFile::TakeBytes(int64_t bytes_max) {
  return sink_->Take(bytes_max);
}

}  // namespace reprise
