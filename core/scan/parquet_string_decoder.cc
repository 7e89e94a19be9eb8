// Column chunks of BYTE_ARRAY read as strings or binaries.
//
// Input:  a chunk's pages.   Output: utf8 or binary arrays, or dictionary arrays of utf8.
// A batch of strings whose pages all hold indices leaves as the indices over the chunk's
// dictionary, unless that is so great that it would cost the readers more than it spares them. A
// batch that has a page without indices is decoded as a whole. Example: pages of indices 0 0 1 over
// the dictionary {"N", "R"} leave as they are.
#include <arrow/array/array_dict.h>

#include <optional>

#include "scan/bytes_builder.h"
#include "scan/parquet_column_decoder.h"
#include "scan/parquet_string_pages.h"

namespace reprise {

namespace {

class StringDecoder : public ColumnDecoder {
 public:
  StringDecoder(ColumnChunkSource source, std::shared_ptr<arrow::DataType> type)
      : may_stay_encoded_(source.type.is(TypeKind::kString)),
        type_(std::move(type)),
        pool_(source.pool),
        pages_(std::move(source.pages), source.column, source.pool) {}

  Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) override {
    rows_max_ = std::max(rows_max_, rows);
    BatchValidity validity(rows, pool_);
    std::shared_ptr<arrow::Buffer> indices;  // while the batch is encoded
    std::optional<BytesBuilder> builder;     // once it is not
    for (int64_t row = 0; row < rows;) {
      ARROW_ASSIGN_OR_RAISE(const bool more, pages_.Advance());
      if (!more) return Status::Invalid("a column chunk ends before its last row");
      if (pages_.may_have_nulls() && static_cast<int64_t>(levels_.size()) < rows) {
        levels_.resize(rows);
      }
      if (!builder && !PageStaysEncoded()) {
        builder.emplace(rows, size_hint_, pool_);
        RETURN_NOT_OK(builder->Init());
        if (row > 0) RETURN_NOT_OK(DecodeIndices(*indices, validity, row, &*builder));
      }
      int64_t count = 0;
      if (builder) {
        ARROW_ASSIGN_OR_RAISE(count, AppendValues(rows - row, row, &*builder, &validity));
      } else {
        if (indices == nullptr) {
          ARROW_ASSIGN_OR_RAISE(indices, AllocateValues(rows, sizeof(int32_t), pool_));
        }
        ARROW_ASSIGN_OR_RAISE(count, ReadIndices(rows - row, row, indices.get(), &validity));
      }
      row += count;
    }
    return builder ? FinishValues(&*builder, validity)
                   : FinishIndices(rows, std::move(indices), validity);
  }

 private:
  /// Whether the current page's rows can leave as indices.
  bool PageStaysEncoded() const {
    return may_stay_encoded_ && pages_.is_encoded() &&
           StaysEncoded(pages_.dictionary_size(), rows_max_);
  }

  int16_t* levels() { return pages_.may_have_nulls() ? levels_.data() : nullptr; }

  static Bytes BytesOf(const parquet::ByteArray& value) { return {value.ptr, value.len}; }

  Result<int64_t> ReadIndices(int64_t rows, int64_t row, arrow::Buffer* buffer,
                              BatchValidity* validity) {
    int32_t* indices = reinterpret_cast<int32_t*>(buffer->mutable_data()) + row;
    int64_t values = 0;
    ARROW_ASSIGN_OR_RAISE(const int64_t count,
                          pages_.ReadIndices(rows, levels(), indices, &values));
    if (values < count) {
      RETURN_NOT_OK(validity->AddLevels(row, count, levels()));
      SpreadValues(indices, values, levels(), count);
    }
    return count;
  }

  Result<int64_t> AppendValues(int64_t rows, int64_t row, BytesBuilder* builder,
                               BatchValidity* validity) {
    if (static_cast<int64_t>(values_.size()) < rows) values_.resize(rows);
    int64_t values = 0;
    int64_t count = 0;
    if (pages_.is_encoded()) {
      if (static_cast<int64_t>(indices_.size()) < rows) indices_.resize(rows);
      ARROW_ASSIGN_OR_RAISE(count, pages_.ReadIndices(rows, levels(), indices_.data(), &values));
      const parquet::ByteArray* dictionary = pages_.dictionary();
      for (int64_t i = 0; i < values; ++i) values_[i] = dictionary[indices_[i]];
    } else {
      ARROW_ASSIGN_OR_RAISE(count, pages_.ReadValues(rows, levels(), values_.data(), &values));
    }
    int64_t bytes = 0;
    for (int64_t i = 0; i < values; ++i) bytes += values_[i].len;
    RETURN_NOT_OK(builder->Reserve(bytes));
    AppendSpread(count, values, levels(), builder, [&](int64_t i) { return BytesOf(values_[i]); });
    if (values < count) RETURN_NOT_OK(validity->AddLevels(row, count, levels()));
    return count;
  }

  /// Appends the first `rows` rows of a batch that began encoded.
  Status DecodeIndices(const arrow::Buffer& buffer, const BatchValidity& validity, int64_t rows,
                       BytesBuilder* builder) const {
    const auto* indices = reinterpret_cast<const int32_t*>(buffer.data());
    const parquet::ByteArray* dictionary = pages_.dictionary();
    const uint8_t* bits = validity.bitmap() ? validity.bitmap()->data() : nullptr;
    for (int64_t row = 0; row < rows; ++row) {
      if (bits != nullptr && !arrow::bit_util::GetBit(bits, row)) {
        builder->AppendNull();
        continue;
      }
      const Bytes value = BytesOf(dictionary[indices[row]]);
      RETURN_NOT_OK(builder->Reserve(value.length));
      builder->Append(value);
    }
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::Array>> FinishValues(BytesBuilder* builder,
                                                     const BatchValidity& validity) {
    size_hint_ = std::max(size_hint_, builder->size() + builder->size() / 8);
    ARROW_ASSIGN_OR_RAISE(auto data, builder->Finish(type_, validity));
    return arrow::MakeArray(std::move(data));
  }

  Result<std::shared_ptr<arrow::Array>> FinishIndices(int64_t rows,
                                                      std::shared_ptr<arrow::Buffer> indices,
                                                      const BatchValidity& validity) {
    static const auto kType = arrow::dictionary(arrow::int32(), arrow::utf8());
    if (dictionary_ == nullptr) RETURN_NOT_OK(CopyDictionary());
    auto data = arrow::ArrayData::Make(kType, rows, {validity.bitmap(), std::move(indices)},
                                       validity.null_count());
    data->dictionary = dictionary_;
    return arrow::MakeArray(std::move(data));
  }

  /// The chunk's dictionary lives only as long as its pages: so a copy. Never empty, so that the
  /// indices of null rows too lie in it.
  Status CopyDictionary() {
    const int32_t size = pages_.dictionary_size();
    int64_t bytes = 0;
    for (int32_t i = 0; i < size; ++i) bytes += pages_.dictionary()[i].len;
    BytesBuilder builder(std::max(size, 1), std::max<int64_t>(bytes, 1), pool_);
    RETURN_NOT_OK(builder.Init());
    RETURN_NOT_OK(builder.Reserve(bytes));
    for (int32_t i = 0; i < size; ++i) builder.Append(BytesOf(pages_.dictionary()[i]));
    if (size == 0) builder.Append({nullptr, 0});
    ARROW_ASSIGN_OR_RAISE(dictionary_,
                          builder.Finish(arrow::utf8(), BatchValidity(/*rows=*/0, pool_)));
    return Status::OK();
  }

  bool may_stay_encoded_;
  std::shared_ptr<arrow::DataType> type_;
  arrow::MemoryPool* pool_;
  StringPages pages_;
  int64_t rows_max_ = 0;  // of a batch, so far
  std::vector<int16_t> levels_;
  std::vector<int32_t> indices_;
  std::vector<parquet::ByteArray> values_;
  std::shared_ptr<arrow::ArrayData> dictionary_;
  int64_t size_hint_ = 1024;  // bytes of a batch's values
};

}  // namespace

Result<std::unique_ptr<ColumnDecoder>> MakeStringDecoder(ColumnChunkSource source) {
  ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(source.type));
  return std::make_unique<StringDecoder>(std::move(source), std::move(type));
}

}  // namespace reprise
