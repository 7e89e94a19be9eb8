#include "scan/parquet_nested_leaf.h"

#include <arrow/array/util.h>

#include <algorithm>

namespace reprise {

Result<std::unique_ptr<NestedLeaf>> NestedLeaf::Make(ColumnChunkSource source,
                                                     int64_t entry_bytes) {
  std::unique_ptr<NestedLeaf> leaf(
      new NestedLeaf(*source.column, source.type, std::max<int64_t>(1, entry_bytes), source.pool));
  auto pages = std::make_unique<LevelPages>(std::move(source.pages), source.column, source.pool);
  leaf->pages_ = pages.get();
  if (leaf->type_.is(TypeKind::kNull)) {
    leaf->levels_only_ = std::move(pages);
    return leaf;
  }
  source.pages = std::move(pages);
  source.column = &leaf->values_column_;
  ARROW_ASSIGN_OR_RAISE(leaf->decoder_, MakeColumnDecoder(std::move(source)));
  return leaf;
}

int64_t NestedLeaf::EndOfRow(int64_t begin, int64_t searched) const {
  if (max_repetition_ == 0) return begin + 1;
  const int16_t* levels = pages_->repetition();
  return std::find(levels + std::max(begin + 1, searched), levels + pages_->level_count(),
                   int16_t{0}) -
         levels;
}

Result<int64_t> NestedLeaf::RowsWithin(int64_t rows, int64_t bytes) {
  pages_->Drop(static_cast<int64_t>(std::exchange(level_count_, 0)));
  const int64_t levels_max = std::max<int64_t>(1, bytes / entry_bytes_);
  int64_t count = 0;
  int64_t end = 0;       // of so many rows
  int64_t searched = 0;  // up to here for the end of the next
  while (count < rows) {
    const int64_t level_count = pages_->level_count();
    const int64_t next = end < level_count ? EndOfRow(end, searched) : end;
    const bool may_go_on = next == level_count && !at_end_ && (end == next || max_repetition_ > 0);
    if (count > 0 && next > levels_max) break;
    if (may_go_on) {
      searched = level_count;
      ARROW_ASSIGN_OR_RAISE(const bool more, pages_->ReadLevels());
      at_end_ = !more;
      continue;
    }
    if (next == end) break;
    end = next;
    ++count;
  }
  if (count == 0) return Status::Invalid("a column chunk ends before its last row");
  return count;
}

Status NestedLeaf::Read(int64_t rows) {
  int64_t end = 0;
  for (int64_t row = 0; row < rows; ++row) end = EndOfRow(end, 0);
  level_count_ = static_cast<size_t>(end);
  if (decoder_ == nullptr) {
    while (pages_->NextPage() != nullptr) {
    }
    return Status::OK();
  }
  const std::span<const int16_t> levels = definition();
  const auto values = std::count(levels.begin(), levels.end(), max_definition_);
  if (values > 0) {
    ARROW_ASSIGN_OR_RAISE(values_, decoder_->Read(values));
    return Status::OK();
  }
  ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(type_));
  ARROW_ASSIGN_OR_RAISE(values_, arrow::MakeEmptyArray(std::move(type), pool_));
  return Status::OK();
}

}  // namespace reprise
