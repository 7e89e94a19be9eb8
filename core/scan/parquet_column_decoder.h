// Decodes one column chunk of a Parquet file into Arrow arrays, a batch at a time.
#pragma once

#include <arrow/array.h>
#include <arrow/memory_pool.h>
#include <parquet/column_reader.h>

#include <memory>

#include "plan/data_type.h"
#include "scan/parquet_calendar.h"
#include "scan/parquet_conversion.h"

namespace reprise {

/// What a decoder has to know about its column chunk.
struct ColumnChunkSource {
  std::unique_ptr<parquet::PageReader> pages;
  const parquet::ColumnDescriptor* column;
  ParquetConversion conversion;
  DataType type;  ///< of the column that leaves
  RebaseModes rebase;
  const InstantRebase* instants;  ///< empty where there is no JVM
  arrow::MemoryPool* pool;
};

/// Reads a column chunk from its beginning to its end. May throw what libparquet throws.
class ColumnDecoder {
 public:
  virtual ~ColumnDecoder() = default;

  /// How many of the next `rows` rows can be read together lest they take far more than `bytes`
  /// bytes, where single rows may be much larger than others; 1 at least.
  virtual Result<int64_t> RowsWithin(int64_t rows, int64_t /*bytes*/) { return rows; }

  /// The next `rows` rows as an array of ToArrow(type), or, for strings whose chunk is wholly
  /// dictionary-encoded, as a dictionary array (int32 indices, utf8 values without nulls). Values
  /// of null rows are zero. Fewer rows than asked for are Status::Invalid.
  virtual Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) = 0;
};

/// The decoder of numbers, booleans, dates, timestamps and decimals that are numbers in the file.
Result<std::unique_ptr<ColumnDecoder>> MakeNumberDecoder(ColumnChunkSource source);

/// The decoder of decimals that are bytes in the file.
Result<std::unique_ptr<ColumnDecoder>> MakeBytesDecimalDecoder(ColumnChunkSource source);

/// The decoder of binaries of a fixed length.
Result<std::unique_ptr<ColumnDecoder>> MakeFixedBytesDecoder(ColumnChunkSource source);

/// The decoder of strings and binaries of any length.
Result<std::unique_ptr<ColumnDecoder>> MakeStringDecoder(ColumnChunkSource source);

/// The decoder for `source.conversion`.
Result<std::unique_ptr<ColumnDecoder>> MakeColumnDecoder(ColumnChunkSource source);

}  // namespace reprise
