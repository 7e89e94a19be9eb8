// Reads the rows of a column chunk piece by piece (a piece never crosses a page): what all column
// decoders share.
#pragma once

#include <parquet/column_reader.h>

#include <memory>
#include <vector>

#include "base/check.h"
#include "scan/batch_validity.h"
#include "scan/parquet_column_decoder.h"
#include "scan/parquet_null_pages.h"

namespace reprise {

/// The reader of a chunk whose physical type is known.
template <typename Type>
class ChunkReader {
 public:
  using Value = typename Type::c_type;

  explicit ChunkReader(ColumnChunkSource* source) {
    auto watched = std::make_unique<WatchedPages>(std::move(source->pages), source->column);
    pages_ = watched.get();
    reader_ = std::dynamic_pointer_cast<parquet::TypedColumnReader<Type>>(
        parquet::ColumnReader::Make(source->column, std::move(watched), source->pool));
    REPRISE_CHECK(reader_ != nullptr, "conversion of another physical type than the column's");
  }

  /// Whether the rows that are read next, up to the end of their page, may be null.
  bool MayBeNull() { return reader_->HasNext() && pages_->may_have_nulls(); }

  /// Reads at most `rows` rows, none beyond the page: their levels, unless `levels` is null because
  /// none of them can be null, and densely the values of those that are not. Returns how many.
  int64_t Read(int64_t rows, int16_t* levels, Value* values, int64_t* values_read) {
    return reader_->ReadBatch(rows, levels, nullptr, values, values_read);
  }

 private:
  WatchedPages* pages_;  // of the reader
  std::shared_ptr<parquet::TypedColumnReader<Type>> reader_;
};

/// Reads `rows` rows in pieces. `read_piece(rows_left, row, levels, &values_read)` reads at most
/// `rows_left` rows, with their values densely from row `row` on, and returns how many rows it read
/// (Result<int64_t>); `spread(row, values_read, count, levels)` spreads a piece that has nulls.
/// `levels` is null where the piece cannot have nulls.
template <typename Type, typename ReadPiece, typename Spread>
Status ReadPieces(int64_t rows, ChunkReader<Type>* reader, std::vector<int16_t>* level_scratch,
                  BatchValidity* validity, ReadPiece&& read_piece, Spread&& spread) {
  int64_t row = 0;
  while (row < rows) {
    int64_t values_read = 0;
    int16_t* levels = nullptr;
    if (reader->MayBeNull()) {
      if (static_cast<int64_t>(level_scratch->size()) < rows) level_scratch->resize(rows);
      levels = level_scratch->data();
    }
    ARROW_ASSIGN_OR_RAISE(const int64_t count, read_piece(rows - row, row, levels, &values_read));
    if (count <= 0 || values_read > count) {
      return Status::Invalid("a column chunk ends before its last row");
    }
    if (values_read < count) {
      if (levels == nullptr) return Status::Invalid("a page without nulls has too few values");
      RETURN_NOT_OK(validity->AddLevels(row, count, levels));
      spread(row, values_read, count, levels);
    }
    row += count;
  }
  return Status::OK();
}

}  // namespace reprise
