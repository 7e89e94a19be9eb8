// Column chunks of BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY.
//
// Input:  a chunk's typed column reader.   Output: utf8, binary, decimal64 or decimal128 arrays;
// strings of a wholly dictionary-encoded chunk leave as dictionary arrays over one utf8 dictionary.
// Example: pages of indices 0 0 1 over the dictionary {"N", "R"} leave as they are.
#include <arrow/array/array_dict.h>
#include <arrow/array/data.h>

#include <limits>

#include "base/check.h"
#include "operators/parquet_chunk_reader.h"
#include "operators/parquet_column_decoder.h"

namespace reprise {

namespace {

using Int128 = __int128;

/// A value's bytes, of either physical type.
struct Bytes {
  const uint8_t* data;
  int64_t length;
};

struct VariableLength {
  using Type = parquet::ByteArrayType;
  explicit VariableLength(const parquet::ColumnDescriptor&) {}
  Bytes operator()(const parquet::ByteArray& value) const { return {value.ptr, value.len}; }
};

struct FixedLength {
  using Type = parquet::FLBAType;
  explicit FixedLength(const parquet::ColumnDescriptor& column) : length(column.type_length()) {}
  Bytes operator()(const parquet::FixedLenByteArray& value) const { return {value.ptr, length}; }
  int64_t length;
};

template <typename Layout>
parquet::TypedColumnReader<typename Layout::Type>* TypedReader(const ColumnChunkSource& source) {
  auto* reader =
      dynamic_cast<parquet::TypedColumnReader<typename Layout::Type>*>(source.reader.get());
  REPRISE_CHECK(reader != nullptr, "conversion of another physical type than the column's");
  return reader;
}

/// Offsets and bytes of a utf8 or binary array that grow together.
class BytesBuilder {
 public:
  BytesBuilder(int64_t rows, int64_t size_hint, arrow::MemoryPool* pool)
      : rows_(rows), size_hint_(size_hint), pool_(pool) {}

  Status Init() {
    ARROW_ASSIGN_OR_RAISE(offsets_buffer_, AllocateValues(rows_ + 1, sizeof(int32_t), pool_));
    offsets_ = reinterpret_cast<int32_t*>(offsets_buffer_->mutable_data());
    offsets_[0] = 0;
    ARROW_ASSIGN_OR_RAISE(data_, arrow::AllocateResizableBuffer(size_hint_, pool_));
    return Status::OK();
  }

  /// Makes room for `more` bytes. An array holds at most 2 GiB.
  Status Reserve(int64_t more) {
    const int64_t needed = size_ + more;
    if (needed > std::numeric_limits<int32_t>::max()) {
      return Status::CapacityError(
          "a batch has more than 2 GiB of strings: lower "
          "spark.reprise.sql.batchRows");
    }
    if (needed <= data_->size()) return Status::OK();
    return data_->Resize(std::max(needed, data_->size() * 2), /*shrink_to_fit=*/false);
  }

  /// Call after Reserve.
  void Append(Bytes value) {
    if (value.length > 0) std::memcpy(data_->mutable_data() + size_, value.data, value.length);
    size_ += value.length;
    offsets_[++row_] = static_cast<int32_t>(size_);
  }
  void AppendNull() {
    ++row_;
    offsets_[row_] = offsets_[row_ - 1];
  }

  Result<std::shared_ptr<arrow::ArrayData>> Finish(std::shared_ptr<arrow::DataType> type,
                                                   const BatchValidity& validity) {
    RETURN_NOT_OK(data_->Resize(size_, /*shrink_to_fit=*/false));
    return arrow::ArrayData::Make(std::move(type), row_,
                                  {validity.bitmap(), offsets_buffer_, std::move(data_)},
                                  validity.null_count());
  }
  int64_t size() const { return size_; }

 private:
  int64_t rows_;
  int64_t size_hint_;
  arrow::MemoryPool* pool_;
  std::shared_ptr<arrow::Buffer> offsets_buffer_;
  int32_t* offsets_ = nullptr;
  std::shared_ptr<arrow::ResizableBuffer> data_;
  int64_t size_ = 0;
  int64_t row_ = 0;
};

/// Strings and binaries as they are. A piece's bytes are copied before the next piece is read: they
/// lie in the page.
template <typename Layout>
class PlainBytesDecoder : public ColumnDecoder {
 public:
  PlainBytesDecoder(ColumnChunkSource source, std::shared_ptr<arrow::DataType> type)
      : source_(std::move(source)),
        type_(std::move(type)),
        layout_(*source_.reader->descr()),
        reader_(TypedReader<Layout>(source_)) {}

  Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) override {
    if (static_cast<int64_t>(values_.size()) < rows) values_.resize(rows);
    BytesBuilder builder(rows, size_hint_, source_.pool);
    RETURN_NOT_OK(builder.Init());
    BatchValidity validity(rows, source_.pool);
    RETURN_NOT_OK(ReadPieces(
        rows, source_.may_have_nulls, &levels_, &validity,
        [&](int64_t left, int64_t, int16_t* levels, int64_t* values_read) -> Result<int64_t> {
          const int64_t count =
              reader_->ReadBatch(left, levels, nullptr, values_.data(), values_read);
          RETURN_NOT_OK(CopyPiece(count, *values_read, levels, &builder));
          return count;
        },
        [](int64_t, int64_t, int64_t, const int16_t*) {}));
    size_hint_ = std::max(size_hint_, builder.size() + builder.size() / 8);
    ARROW_ASSIGN_OR_RAISE(auto data, builder.Finish(type_, validity));
    return arrow::MakeArray(std::move(data));
  }

 private:
  Status CopyPiece(int64_t count, int64_t values_read, const int16_t* levels,
                   BytesBuilder* builder) {
    int64_t bytes = 0;
    for (int64_t i = 0; i < values_read; ++i) bytes += layout_(values_[i]).length;
    RETURN_NOT_OK(builder->Reserve(bytes));
    if (values_read == count) {
      for (int64_t i = 0; i < count; ++i) builder->Append(layout_(values_[i]));
      return Status::OK();
    }
    int64_t value = 0;
    for (int64_t i = 0; levels != nullptr && i < count; ++i) {
      if (levels[i] != 0) {
        builder->Append(layout_(values_[value++]));
      } else {
        builder->AppendNull();
      }
    }
    return Status::OK();
  }

  ColumnChunkSource source_;
  std::shared_ptr<arrow::DataType> type_;
  Layout layout_;
  parquet::TypedColumnReader<typename Layout::Type>* reader_;
  std::vector<int16_t> levels_;
  std::vector<typename Layout::Type::c_type> values_;
  int64_t size_hint_ = 1024;
};

/// Strings of a chunk all of whose pages are dictionary-encoded.
class DictionaryStringDecoder : public ColumnDecoder {
 public:
  explicit DictionaryStringDecoder(ColumnChunkSource source)
      : source_(std::move(source)), reader_(TypedReader<VariableLength>(source_)) {}

  Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, AllocateValues(rows, sizeof(int32_t), source_.pool));
    auto* indices = reinterpret_cast<int32_t*>(buffer->mutable_data());
    BatchValidity validity(rows, source_.pool);
    RETURN_NOT_OK(ReadPieces(
        rows, source_.may_have_nulls, &levels_, &validity,
        [&](int64_t left, int64_t row, int16_t* levels, int64_t* values_read) -> Result<int64_t> {
          const parquet::ByteArray* values = nullptr;
          int32_t size = 0;
          const int64_t count = reader_->ReadBatchWithDictionary(
              left, levels, nullptr, indices + row, values_read, &values, &size);
          RETURN_NOT_OK(CheckPiece(indices + row, *values_read, values, size));
          return count;
        },
        [&](int64_t row, int64_t dense, int64_t count, const int16_t* levels) {
          SpreadValues(indices + row, dense, levels, count);
        }));
    auto index_array = std::make_shared<arrow::Int32Array>(
        rows, std::move(buffer), validity.bitmap(), validity.null_count());
    static const auto kType = arrow::dictionary(arrow::int32(), arrow::utf8());
    return std::make_shared<arrow::DictionaryArray>(kType, std::move(index_array), dictionary_);
  }

 private:
  /// Indices come from the file: none may lie outside the dictionary.
  Status CheckPiece(const int32_t* indices, int64_t count, const parquet::ByteArray* values,
                    int32_t size) {
    uint32_t greatest = 0;
    for (int64_t i = 0; i < count; ++i) {
      greatest = std::max(greatest, static_cast<uint32_t>(indices[i]));
    }
    if (count > 0 && (size < 0 || greatest >= static_cast<uint32_t>(size))) {
      return Status::Invalid("a dictionary of ", size, " values has no value ", greatest);
    }
    if (dictionary_ == nullptr) return MakeDictionary(values, size);
    return Status::OK();
  }

  /// The chunk's dictionary, copied, since it ends with the reader. Never empty, so that null rows'
  /// indices too lie inside.
  Status MakeDictionary(const parquet::ByteArray* values, int32_t size) {
    int64_t bytes = 0;
    for (int32_t i = 0; i < size; ++i) bytes += values[i].len;
    const BatchValidity no_nulls(0, source_.pool);
    BytesBuilder builder(std::max(size, 1), std::max<int64_t>(bytes, 1), source_.pool);
    RETURN_NOT_OK(builder.Init());
    RETURN_NOT_OK(builder.Reserve(bytes));
    for (int32_t i = 0; i < size; ++i) builder.Append({values[i].ptr, values[i].len});
    if (size <= 0) builder.Append({nullptr, 0});
    ARROW_ASSIGN_OR_RAISE(auto data, builder.Finish(arrow::utf8(), no_nulls));
    dictionary_ = arrow::MakeArray(std::move(data));
    return Status::OK();
  }

  ColumnChunkSource source_;
  parquet::ByteArrayReader* reader_;
  std::vector<int16_t> levels_;
  std::shared_ptr<arrow::Array> dictionary_;
};

/// Big-endian two's complement, as java.math.BigInteger has it. Nothing where it does not fit.
bool ParseBigEndian(Bytes bytes, Int128* out) {
  const uint8_t sign = bytes.length > 0 && (bytes.data[0] & 0x80) != 0 ? 0xFF : 0x00;
  while (bytes.length > 16) {
    if (bytes.data[0] != sign) return false;
    ++bytes.data;
    --bytes.length;
  }
  unsigned __int128 value = sign != 0 ? ~static_cast<unsigned __int128>(0) : 0;
  for (int64_t i = 0; i < bytes.length; ++i) value = (value << 8) | bytes.data[i];
  *out = static_cast<Int128>(value);
  return (*out < 0) == (sign != 0);
}

template <typename Layout, typename Out>
class BytesDecimalDecoder : public ColumnDecoder {
 public:
  BytesDecimalDecoder(ColumnChunkSource source, std::shared_ptr<arrow::DataType> type)
      : source_(std::move(source)),
        type_(std::move(type)),
        layout_(*source_.reader->descr()),
        reader_(TypedReader<Layout>(source_)) {
    for (int i = ScaleIncrease(*source_.reader->descr(), source_.type); i > 0; --i) factor_ *= 10;
  }

  Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) override {
    if (static_cast<int64_t>(bytes_.size()) < rows) bytes_.resize(rows);
    ARROW_ASSIGN_OR_RAISE(auto buffer, AllocateValues(rows, sizeof(Out), source_.pool));
    Out* values = reinterpret_cast<Out*>(buffer->mutable_data());
    BatchValidity validity(rows, source_.pool);
    RETURN_NOT_OK(ReadPieces(
        rows, source_.may_have_nulls, &levels_, &validity,
        [&](int64_t left, int64_t row, int16_t* levels, int64_t* values_read) -> Result<int64_t> {
          const int64_t count =
              reader_->ReadBatch(left, levels, nullptr, bytes_.data(), values_read);
          RETURN_NOT_OK(Convert(*values_read, values + row));
          return count;
        },
        [&](int64_t row, int64_t dense, int64_t count, const int16_t* levels) {
          SpreadValues(values + row, dense, levels, count);
        }));
    return arrow::MakeArray(
        arrow::ArrayData::Make(type_, rows, {validity.bitmap(), buffer}, validity.null_count()));
  }

 private:
  Status Convert(int64_t count, Out* out) const {
    for (int64_t i = 0; i < count; ++i) {
      Int128 value = 0;
      if (!ParseBigEndian(layout_(bytes_[i]), &value)) {
        return Status::Invalid("a decimal of more than 128 bits in a column read as ",
                               source_.type.ToString());
      }
      out[i] = static_cast<Out>(static_cast<unsigned __int128>(value) * factor_);
    }
    return Status::OK();
  }

  ColumnChunkSource source_;
  std::shared_ptr<arrow::DataType> type_;
  Layout layout_;
  parquet::TypedColumnReader<typename Layout::Type>* reader_;
  unsigned __int128 factor_ = 1;
  std::vector<int16_t> levels_;
  std::vector<typename Layout::Type::c_type> bytes_;
};

bool IsFixed(const ColumnChunkSource& source) {
  return source.reader->descr()->physical_type() == parquet::Type::FIXED_LEN_BYTE_ARRAY;
}

template <typename Layout>
std::unique_ptr<ColumnDecoder> MakeDecimal(ColumnChunkSource source,
                                           std::shared_ptr<arrow::DataType> type) {
  if (source.type.is_short_decimal()) {
    return std::make_unique<BytesDecimalDecoder<Layout, int64_t>>(std::move(source),
                                                                  std::move(type));
  }
  return std::make_unique<BytesDecimalDecoder<Layout, Int128>>(std::move(source), std::move(type));
}

}  // namespace

Result<std::unique_ptr<ColumnDecoder>> MakeBytesDecimalDecoder(ColumnChunkSource source) {
  ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(source.type));
  return IsFixed(source) ? MakeDecimal<FixedLength>(std::move(source), std::move(type))
                         : MakeDecimal<VariableLength>(std::move(source), std::move(type));
}

Result<std::unique_ptr<ColumnDecoder>> MakeBytesDecoder(ColumnChunkSource source) {
  ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(source.type));
  if (IsFixed(source)) {
    return std::make_unique<PlainBytesDecoder<FixedLength>>(std::move(source), std::move(type));
  }
  const bool encoded = source.reader->GetExposedEncoding() == parquet::ExposedEncoding::DICTIONARY;
  if (encoded && source.type.is(TypeKind::kString)) {
    return std::make_unique<DictionaryStringDecoder>(std::move(source));
  }
  return std::make_unique<PlainBytesDecoder<VariableLength>>(std::move(source), std::move(type));
}

}  // namespace reprise
