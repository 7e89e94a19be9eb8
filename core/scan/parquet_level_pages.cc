#include "scan/parquet_level_pages.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace reprise {

namespace {

// Levels are decoded so many at a time, lest memory is taken for levels that a page only claims.
constexpr int64_t kLevelsAtOnce = 64 << 10;

void DropFirst(int64_t count, PoolVector<int16_t>* levels) {
  const int64_t left = levels->size() - count;
  if (left > 0) {
    std::memmove(levels->data(), levels->data() + count,
                 static_cast<size_t>(left) * sizeof(int16_t));
  }
  // Fewer than there were: nothing is allocated.
  REPRISE_CHECK(levels->ResizeUninitialised(left).ok(), "a vector cannot shrink");
}

}  // namespace

Result<std::shared_ptr<arrow::Buffer>> LevelPages::Copy(const uint8_t* data, int64_t size) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> copy, arrow::AllocateBuffer(size, pool_));
  if (size > 0) std::memcpy(copy->mutable_data(), data, static_cast<size_t>(size));
  return copy;
}

Result<bool> LevelPages::ReadLevels() {
  while (true) {
    const auto page = pages_->NextPage();
    if (page == nullptr) return false;
    switch (page->type()) {
      case parquet::PageType::DICTIONARY_PAGE: {
        const auto& dictionary = static_cast<const parquet::DictionaryPage&>(*page);
        ARROW_ASSIGN_OR_RAISE(auto data, Copy(page->data(), page->size()));
        values_.push_back(std::make_shared<parquet::DictionaryPage>(
            std::move(data), dictionary.num_values(), dictionary.encoding(),
            dictionary.is_sorted()));
        break;
      }
      case parquet::PageType::DATA_PAGE:
      case parquet::PageType::DATA_PAGE_V2:
        RETURN_NOT_OK(ReadDataPage(static_cast<const parquet::DataPage&>(*page)));
        return true;
      default:  // readers are to skip pages of other types
        break;
    }
  }
}

Status LevelPages::Decode(parquet::LevelDecoder* decoder, int64_t count,
                          PoolVector<int16_t>* levels) {
  while (count > 0) {
    const int64_t some = std::min(count, kLevelsAtOnce);
    const int64_t before = levels->size();
    RETURN_NOT_OK(levels->ResizeUninitialised(before + some));
    if (decoder->Decode(static_cast<int>(some), levels->data() + before) != some) {
      return Status::Invalid("a page has too few levels");
    }
    count -= some;
  }
  return Status::OK();
}

Result<int64_t> LevelPages::ReadLevelsOf(const parquet::DataPage& page) {
  const int16_t max_repetition = column_->max_repetition_level();
  const int16_t max_definition = column_->max_definition_level();
  const int32_t count = page.num_values();
  parquet::LevelDecoder repetition;
  parquet::LevelDecoder definition;
  int64_t bytes = 0;
  if (page.type() == parquet::PageType::DATA_PAGE) {
    const auto& v1 = static_cast<const parquet::DataPageV1&>(page);
    const auto start = [&](parquet::LevelDecoder* decoder, parquet::Encoding::type encoding,
                           int16_t max_level) {
      if (max_level == 0) return;
      bytes += decoder->SetData(encoding, max_level, count, page.data() + bytes,
                                page.size() - static_cast<int32_t>(bytes));
    };
    start(&repetition, v1.repetition_level_encoding(), max_repetition);
    start(&definition, v1.definition_level_encoding(), max_definition);
  } else {
    const auto& v2 = static_cast<const parquet::DataPageV2&>(page);
    const int64_t repetition_bytes = v2.repetition_levels_byte_length();
    const int64_t definition_bytes = v2.definition_levels_byte_length();
    bytes = repetition_bytes + definition_bytes;
    if (repetition_bytes < 0 || definition_bytes < 0 || bytes > page.size()) {
      return Status::Invalid("a page's levels are longer than the page");
    }
    if (max_repetition > 0) {
      repetition.SetDataV2(static_cast<int32_t>(repetition_bytes), max_repetition, count,
                           page.data());
    }
    if (max_definition > 0) {
      definition.SetDataV2(static_cast<int32_t>(definition_bytes), max_definition, count,
                           page.data() + repetition_bytes);
    }
  }
  if (max_repetition > 0) RETURN_NOT_OK(Decode(&repetition, count, &repetition_));
  if (max_definition > 0) {
    RETURN_NOT_OK(Decode(&definition, count, &definition_));
  } else {
    RETURN_NOT_OK(definition_.Resize(definition_.size() + count));
  }
  return bytes;
}

Status LevelPages::ReadDataPage(const parquet::DataPage& page) {
  if (page.num_values() < 0) return Status::Invalid("a page has a negative number of values");
  const int64_t before = definition_.size();
  ARROW_ASSIGN_OR_RAISE(const int64_t level_bytes, ReadLevelsOf(page));
  if (!has_levels_ && repetition_.size() > 0 && repetition_[0] != 0) {
    return Status::Invalid("a column chunk begins within a row");
  }
  has_levels_ = has_levels_ || definition_.size() > 0;
  const auto values =
      std::count(definition_.data() + before, definition_.data() + definition_.size(),
                 column_->max_definition_level());
  if (values == 0) return Status::OK();
  const int64_t size = page.size() - level_bytes;
  ARROW_ASSIGN_OR_RAISE(auto data, Copy(page.data() + level_bytes, size));
  values_.push_back(std::make_shared<parquet::DataPageV1>(
      std::move(data), static_cast<int32_t>(values), page.encoding(), parquet::Encoding::RLE,
      parquet::Encoding::RLE, size));
  return Status::OK();
}

void LevelPages::Drop(int64_t count) {
  dropped_ += count;
  // Each level is moved once at most for each that is dropped.
  if (dropped_ * 2 < definition_.size()) return;
  DropFirst(dropped_, &definition_);
  if (column_->max_repetition_level() > 0) DropFirst(dropped_, &repetition_);
  dropped_ = 0;
}

std::shared_ptr<parquet::Page> LevelPages::NextPage() {
  if (values_.empty()) return nullptr;
  auto page = std::move(values_.front());
  values_.pop_front();
  return page;
}

}  // namespace reprise
