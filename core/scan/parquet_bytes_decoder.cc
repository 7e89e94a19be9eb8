// Column chunks whose values are bytes in the file, save strings (parquet_string_decoder.cc).
//
// Input:  a chunk's typed column reader of BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY.
// Output: decimal64 and decimal128 arrays; binary arrays of FIXED_LEN_BYTE_ARRAY.
// Example: the bytes 30 39 of a DECIMAL(9,2) leave as 123.45.
#include "scan/bytes_builder.h"
#include "scan/parquet_chunk_reader.h"
#include "scan/parquet_column_decoder.h"

namespace reprise {

namespace {

using Int128 = __int128;

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

/// Binaries of a fixed length. A piece's bytes are copied before the next piece is read: they lie
/// in the page.
class FixedBytesDecoder : public ColumnDecoder {
 public:
  FixedBytesDecoder(ColumnChunkSource source, std::shared_ptr<arrow::DataType> type)
      : source_(std::move(source)),
        type_(std::move(type)),
        layout_(*source_.column),
        reader_(&source_) {}

  Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) override {
    if (static_cast<int64_t>(values_.size()) < rows) values_.resize(rows);
    BytesBuilder builder(rows, rows * layout_.length, source_.pool);
    RETURN_NOT_OK(builder.Init());
    BatchValidity validity(rows, source_.pool);
    RETURN_NOT_OK(ReadPieces(
        rows, &reader_, &levels_, &validity,
        [&](int64_t left, int64_t, int16_t* levels, int64_t* values_read) -> Result<int64_t> {
          const int64_t count = reader_.Read(left, levels, values_.data(), values_read);
          RETURN_NOT_OK(builder.Reserve(*values_read * layout_.length));
          AppendSpread(count, *values_read, levels, &builder,
                       [&](int64_t i) { return layout_(values_[i]); });
          return count;
        },
        [](int64_t, int64_t, int64_t, const int16_t*) {}));
    ARROW_ASSIGN_OR_RAISE(auto data, builder.Finish(type_, validity));
    return arrow::MakeArray(std::move(data));
  }

 private:
  ColumnChunkSource source_;
  std::shared_ptr<arrow::DataType> type_;
  FixedLength layout_;
  ChunkReader<parquet::FLBAType> reader_;
  std::vector<int16_t> levels_;
  std::vector<parquet::FixedLenByteArray> values_;
};

/// Big-endian two's complement, as java.math.BigInteger has it. Nothing where it does not fit.
bool ParseJavaBigInteger(Bytes bytes, Int128* out) {
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
        layout_(*source_.column),
        reader_(&source_) {
    for (int i = ScaleIncrease(*source_.column, source_.type); i > 0; --i) factor_ *= 10;
  }

  Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) override {
    if (static_cast<int64_t>(bytes_.size()) < rows) bytes_.resize(rows);
    ARROW_ASSIGN_OR_RAISE(auto buffer, AllocateValues(rows, sizeof(Out), source_.pool));
    Out* values = reinterpret_cast<Out*>(buffer->mutable_data());
    BatchValidity validity(rows, source_.pool);
    RETURN_NOT_OK(ReadPieces(
        rows, &reader_, &levels_, &validity,
        [&](int64_t left, int64_t row, int16_t* levels, int64_t* values_read) -> Result<int64_t> {
          const int64_t count = reader_.Read(left, levels, bytes_.data(), values_read);
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
      if (!ParseJavaBigInteger(layout_(bytes_[i]), &value)) {
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
  ChunkReader<typename Layout::Type> reader_;
  unsigned __int128 factor_ = 1;
  std::vector<int16_t> levels_;
  std::vector<typename Layout::Type::c_type> bytes_;
};

bool IsFixed(const ColumnChunkSource& source) {
  return source.column->physical_type() == parquet::Type::FIXED_LEN_BYTE_ARRAY;
}

template <typename Layout>
std::unique_ptr<ColumnDecoder> MakeBytesDecimal(ColumnChunkSource source,
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
  return IsFixed(source) ? MakeBytesDecimal<FixedLength>(std::move(source), std::move(type))
                         : MakeBytesDecimal<VariableLength>(std::move(source), std::move(type));
}

Result<std::unique_ptr<ColumnDecoder>> MakeFixedBytesDecoder(ColumnChunkSource source) {
  ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(source.type));
  return std::make_unique<FixedBytesDecoder>(std::move(source), std::move(type));
}

}  // namespace reprise
