#include "scan/parquet_string_pages.h"

#include <algorithm>

#include "scan/parquet_null_pages.h"

namespace reprise {

Result<bool> StringPages::Advance() {
  while (rows_left_ == 0) {
    auto page = pages_->NextPage();
    if (page == nullptr) return false;
    switch (page->type()) {
      case parquet::PageType::DICTIONARY_PAGE:
        RETURN_NOT_OK(ReadDictionary(static_cast<const parquet::DictionaryPage&>(*page)));
        break;
      case parquet::PageType::DATA_PAGE:
      case parquet::PageType::DATA_PAGE_V2:
        page_ = page;
        RETURN_NOT_OK(StartDataPage(static_cast<const parquet::DataPage&>(*page)));
        break;
      default:  // readers are to skip pages of other types
        break;
    }
  }
  return true;
}

Status StringPages::ReadDictionary(const parquet::DictionaryPage& page) {
  using parquet::Encoding;
  if (index_decoder_ != nullptr) return Status::Invalid("a column chunk has two dictionaries");
  if (page.encoding() != Encoding::PLAIN && page.encoding() != Encoding::PLAIN_DICTIONARY) {
    return Status::Invalid("a dictionary has the encoding ",
                           parquet::EncodingToString(page.encoding()));
  }
  auto values = parquet::MakeTypedDecoder<parquet::ByteArrayType>(Encoding::PLAIN, column_, pool_);
  values->SetData(page.num_values(), page.data(), page.size());
  index_decoder_ = parquet::MakeDictDecoder<parquet::ByteArrayType>(column_, pool_);
  index_decoder_->SetDict(values.get());
  index_decoder_->GetDictionary(&dictionary_, &dictionary_size_);
  return Status::OK();
}

Result<int64_t> StringPages::StartLevels(const parquet::DataPage& page) {
  const int16_t max_level = column_->max_definition_level();
  if (page.type() == parquet::PageType::DATA_PAGE) {
    if (max_level == 0) return 0;
    const auto& v1 = static_cast<const parquet::DataPageV1&>(page);
    return levels_.SetData(v1.definition_level_encoding(), max_level, page.num_values(),
                           page.data(), page.size());
  }
  const auto& v2 = static_cast<const parquet::DataPageV2&>(page);
  const int64_t repetition_bytes = v2.repetition_levels_byte_length();
  const int64_t definition_bytes = v2.definition_levels_byte_length();
  if (repetition_bytes < 0 || definition_bytes < 0 ||
      repetition_bytes + definition_bytes > page.size()) {
    return Status::Invalid("a page's levels are longer than the page");
  }
  if (max_level > 0) {
    levels_.SetDataV2(static_cast<int32_t>(definition_bytes), max_level, page.num_values(),
                      page.data() + repetition_bytes);
  }
  return repetition_bytes + definition_bytes;
}

Status StringPages::StartDataPage(const parquet::DataPage& page) {
  using parquet::Encoding;
  ARROW_ASSIGN_OR_RAISE(const int64_t level_bytes, StartLevels(page));
  const uint8_t* data = page.data() + level_bytes;
  const int size = static_cast<int>(page.size() - level_bytes);
  const Encoding::type encoding = page.encoding();
  is_encoded_ = encoding == Encoding::RLE_DICTIONARY || encoding == Encoding::PLAIN_DICTIONARY;
  rows_left_ = page.num_values();
  may_have_nulls_ = MayHaveNulls(page, *column_);
  if (is_encoded_) {
    if (index_decoder_ == nullptr) return Status::Invalid("a page comes before its dictionary");
    index_decoder_->SetData(page.num_values(), data, size);
    return Status::OK();
  }
  auto& decoder = value_decoders_[encoding];
  if (decoder == nullptr) {
    decoder = parquet::MakeTypedDecoder<parquet::ByteArrayType>(encoding, column_, pool_);
  }
  values_ = decoder.get();
  values_->SetData(page.num_values(), data, size);
  return Status::OK();
}

Result<int64_t> StringPages::CountValues(int64_t rows, int16_t* levels) {
  if (levels == nullptr) return rows;
  const int decoded = levels_.Decode(static_cast<int>(rows), levels);
  if (decoded != rows) return Status::Invalid("a page has too few definition levels");
  return rows - std::count(levels, levels + rows, int16_t{0});
}

Result<int64_t> StringPages::ReadIndices(int64_t rows, int16_t* levels, int32_t* indices,
                                         int64_t* values_read) {
  rows = std::min(rows, rows_left_);
  ARROW_ASSIGN_OR_RAISE(const int64_t values, CountValues(rows, levels));
  if (index_decoder_->DecodeIndices(static_cast<int>(values), indices) != values) {
    return Status::Invalid("a page has too few values");
  }
  uint32_t greatest = 0;  // negative indices are great ones
  for (int64_t i = 0; i < values; ++i) {
    greatest = std::max(greatest, static_cast<uint32_t>(indices[i]));
  }
  if (values > 0 && greatest >= static_cast<uint32_t>(dictionary_size_)) {
    return Status::Invalid("a dictionary of ", dictionary_size_, " values has no value ", greatest);
  }
  *values_read = values;
  rows_left_ -= rows;
  return rows;
}

Result<int64_t> StringPages::ReadValues(int64_t rows, int16_t* levels, parquet::ByteArray* values,
                                        int64_t* values_read) {
  rows = std::min(rows, rows_left_);
  ARROW_ASSIGN_OR_RAISE(const int64_t count, CountValues(rows, levels));
  if (values_->Decode(values, static_cast<int>(count)) != count) {
    return Status::Invalid("a page has too few values");
  }
  *values_read = count;
  rows_left_ -= rows;
  return rows;
}

}  // namespace reprise
