// Whether pages of a column chunk can have nulls.
//
// Nearly all columns are optional in the file, and nearly all of their pages have no null: their
// definition levels, which need not be decoded then, are a single run. The page itself is looked
// at, never what a footer or a header says of it: a count of nulls that lies must not shift values.
#pragma once

#include <parquet/column_page.h>
#include <parquet/column_reader.h>

#include <memory>

namespace reprise {

/// Whether rows of a data page may be null. `column` stands at the top level of the schema. False
/// only where the page's definition levels are one run of "not null".
bool MayHaveNulls(const parquet::DataPage& page, const parquet::ColumnDescriptor& column);

/// Hands the pages of a chunk on and says of the latest data page whether it may have nulls.
class WatchedPages final : public parquet::PageReader {
 public:
  WatchedPages(std::unique_ptr<parquet::PageReader> pages, const parquet::ColumnDescriptor* column)
      : pages_(std::move(pages)), column_(column) {}

  std::shared_ptr<parquet::Page> NextPage() override;
  void set_max_page_header_size(uint32_t size) override { pages_->set_max_page_header_size(size); }

  bool may_have_nulls() const { return may_have_nulls_; }

 private:
  std::unique_ptr<parquet::PageReader> pages_;
  const parquet::ColumnDescriptor* column_;
  bool may_have_nulls_ = true;
};

}  // namespace reprise
