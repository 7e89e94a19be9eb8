#include "scan/parquet_null_pages.h"

#include <cstring>
#include <span>

namespace reprise {

namespace {

using LevelBytes = std::span<const uint8_t>;

/// Whether `levels`, of one bit each and encoded as RLE or bit-packed runs, begin with a run of at
/// least `count` ones.
bool IsOneRunOfOnes(LevelBytes levels, int64_t count) {
  uint64_t header = 0;
  size_t at = 0;
  for (int shift = 0;; shift += 7) {
    if (at == levels.size() || shift > 28) return false;
    const uint8_t byte = levels[at++];
    header |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) break;
  }
  const bool is_bit_packed = (header & 1) != 0;
  if (is_bit_packed || at == levels.size()) return false;
  return levels[at] == 1 && static_cast<int64_t>(header >> 1) >= count;
}

/// The encoded definition levels of a page without repetition levels; empty where they are not of
/// the usual encoding.
LevelBytes LevelsOf(const parquet::DataPage& page) {
  const LevelBytes data(page.data(), static_cast<size_t>(page.size()));
  if (page.type() == parquet::PageType::DATA_PAGE_V2) {
    const auto& v2 = static_cast<const parquet::DataPageV2&>(page);
    const int64_t length = v2.definition_levels_byte_length();
    if (v2.repetition_levels_byte_length() != 0 || length < 0 || length > page.size()) return {};
    return data.first(length);
  }
  const auto& v1 = static_cast<const parquet::DataPageV1&>(page);
  if (v1.definition_level_encoding() != parquet::Encoding::RLE) return {};
  uint32_t length = 0;
  if (data.size() < sizeof(length)) return {};
  std::memcpy(&length, data.data(), sizeof(length));
  if (length > data.size() - sizeof(length)) return {};
  return data.subspan(sizeof(length), length);
}

}  // namespace

bool MayHaveNulls(const parquet::DataPage& page, const parquet::ColumnDescriptor& column) {
  if (column.max_definition_level() == 0) return false;
  return column.max_definition_level() != 1 || !IsOneRunOfOnes(LevelsOf(page), page.num_values());
}

std::shared_ptr<parquet::Page> WatchedPages::NextPage() {
  auto page = pages_->NextPage();
  if (page != nullptr && (page->type() == parquet::PageType::DATA_PAGE ||
                          page->type() == parquet::PageType::DATA_PAGE_V2)) {
    may_have_nulls_ = MayHaveNulls(static_cast<const parquet::DataPage&>(*page), *column_);
  }
  return page;
}

}  // namespace reprise
