// Walks through the pages of a BYTE_ARRAY column chunk.
//
// libparquet's column readers give either values or dictionary indices for a whole chunk, and
// indices only where the footer says how every page is encoded, which not all writers do, and no
// chunk does that falls back from its dictionary. Here every page says so itself.
#pragma once

#include <parquet/column_page.h>
#include <parquet/column_reader.h>
#include <parquet/encoding.h>

#include <map>
#include <memory>

#include "base/status.h"

namespace reprise {

class StringPages {
 public:
  /// `column` must be a BYTE_ARRAY that is not repeated, at the top level of the schema.
  StringPages(std::unique_ptr<parquet::PageReader> pages, const parquet::ColumnDescriptor* column,
              arrow::MemoryPool* pool)
      : pages_(std::move(pages)), column_(column), pool_(pool) {}

  /// Goes on to the next page if the current one has no rows left. False at the end of the chunk.
  Result<bool> Advance();

  /// Whether rows of the current page may be null.
  bool may_have_nulls() const { return may_have_nulls_; }

  /// Whether the current page holds indices into the dictionary.
  bool is_encoded() const { return is_encoded_; }

  const parquet::ByteArray* dictionary() const { return dictionary_; }
  int32_t dictionary_size() const { return dictionary_size_; }

  /// Reads at most `rows` rows of the current page, which is encoded: the definition levels, unless
  /// `levels` is null because the page has no nulls, and, densely, the indices of the rows that
  /// are not null; these lie in the dictionary. Returns how many rows it read.
  Result<int64_t> ReadIndices(int64_t rows, int16_t* levels, int32_t* indices,
                              int64_t* values_read);

  /// The same for a page that is not encoded. The values lie in the page: they are valid until
  /// the next call.
  Result<int64_t> ReadValues(int64_t rows, int16_t* levels, parquet::ByteArray* values,
                             int64_t* values_read);

 private:
  using ValueDecoder = parquet::ByteArrayDecoder;
  using IndexDecoder = parquet::DictDecoder<parquet::ByteArrayType>;

  Status ReadDictionary(const parquet::DictionaryPage& page);
  Status StartDataPage(const parquet::DataPage& page);
  /// Starts the definition levels of a page; returns the bytes of all levels before the values.
  Result<int64_t> StartLevels(const parquet::DataPage& page);
  /// Reads levels; returns how many of `rows` rows have a value.
  Result<int64_t> CountValues(int64_t rows, int16_t* levels);

  std::unique_ptr<parquet::PageReader> pages_;
  const parquet::ColumnDescriptor* column_;
  arrow::MemoryPool* pool_;
  std::shared_ptr<parquet::Page> page_;
  int64_t rows_left_ = 0;  // in the page
  bool is_encoded_ = false;
  bool may_have_nulls_ = true;
  parquet::LevelDecoder levels_;
  std::unique_ptr<IndexDecoder> index_decoder_;
  const parquet::ByteArray* dictionary_ = nullptr;
  int32_t dictionary_size_ = 0;
  std::map<parquet::Encoding::type, std::unique_ptr<ValueDecoder>> value_decoders_;
  ValueDecoder* values_ = nullptr;  // of the current page
};

}  // namespace reprise
