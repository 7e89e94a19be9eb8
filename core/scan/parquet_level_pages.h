// Takes the levels off the pages of a nested column chunk.
//
// A value below lists, maps and structs stands in the file as a definition level, which says how
// much of what it stands in is there, and a repetition level, which says at which list it goes on.
// Without these a page is one of a required column: any decoder of flat columns reads its values.
//
// Example: the rows [7, null] and null of a list have the levels (definition, repetition) (3, 0),
//          (2, 1) and (0, 0), and the one value 7.
#pragma once

#include <parquet/column_page.h>
#include <parquet/column_reader.h>

#include <deque>
#include <memory>

#include "base/status.h"
#include "operators/pool_vector.h"

namespace reprise {

class LevelPages final : public parquet::PageReader {
 public:
  /// `column` must outlive it.
  LevelPages(std::unique_ptr<parquet::PageReader> pages, const parquet::ColumnDescriptor* column,
             arrow::MemoryPool* pool)
      : pages_(std::move(pages)),
        column_(column),
        pool_(pool),
        definition_(pool),
        repetition_(pool) {}

  /// Reads the next page's levels behind those that are there. False after the last page. May throw
  /// what libparquet throws.
  Result<bool> ReadLevels();

  /// Levels of the pages read so far, less those that are dropped; `repetition` has none where the
  /// column does not repeat.
  int64_t level_count() const { return definition_.size() - dropped_; }
  const int16_t* definition() const { return definition_.data() + dropped_; }
  const int16_t* repetition() const {
    return column_->max_repetition_level() == 0 ? nullptr : repetition_.data() + dropped_;
  }

  /// Forgets the first `count` levels.
  void Drop(int64_t count);

  /// The values of the pages whose levels have been read: each page that has some, as one of a
  /// column without levels.
  std::shared_ptr<parquet::Page> NextPage() override;
  void set_max_page_header_size(uint32_t size) override { pages_->set_max_page_header_size(size); }

 private:
  Status ReadDataPage(const parquet::DataPage& page);
  /// Reads the page's levels; returns the bytes that they take before the values.
  Result<int64_t> ReadLevelsOf(const parquet::DataPage& page);
  Status Decode(parquet::LevelDecoder* decoder, int64_t count, PoolVector<int16_t>* levels);
  /// A copy, since a page is valid only until the next one is read.
  Result<std::shared_ptr<arrow::Buffer>> Copy(const uint8_t* data, int64_t size);

  std::unique_ptr<parquet::PageReader> pages_;
  const parquet::ColumnDescriptor* column_;
  arrow::MemoryPool* pool_;
  PoolVector<int16_t> definition_;
  PoolVector<int16_t> repetition_;
  int64_t dropped_ = 0;                                // of their levels
  bool has_levels_ = false;                            // has read some
  std::deque<std::shared_ptr<parquet::Page>> values_;  // not handed on yet
};

}  // namespace reprise
