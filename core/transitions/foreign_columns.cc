#include "transitions/foreign_columns.h"

#include <arrow/array.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/writer.h>
#include <arrow/type_traits.h>
#include <arrow/util/bit_util.h>
#include <fmt/format.h>

#include <cstring>

#include "plan/unsafe_row.h"
#include "transitions/arrow_source.h"

namespace reprise {

namespace {

constexpr int64_t kLongDecimalWidth = 16;

/// Takes the buffers of one column after the other.
class ForeignReader {
 public:
  ForeignReader(const ForeignColumns& foreign, arrow::MemoryPool* pool)
      : foreign_(foreign), pool_(pool) {}

  int64_t rows() const { return foreign_.rows; }
  arrow::MemoryPool* pool() const { return pool_; }
  bool at_end() const { return next_ == foreign_.buffers.size(); }

  /// The next buffer, which must have so many bytes.
  Result<std::span<const uint8_t>> Next(int64_t bytes) {
    if (at_end()) return Status::Invalid("a column lacks a buffer");
    const std::span<const uint8_t> buffer = foreign_.buffers[next_++];
    if (std::ssize(buffer) < bytes) {
      return Status::Invalid("a buffer has ", buffer.size(), " bytes, its rows need ", bytes);
    }
    return buffer.first(static_cast<size_t>(bytes));
  }

  Result<std::shared_ptr<arrow::Buffer>> Copy(int64_t bytes) {
    ARROW_ASSIGN_OR_RAISE(const auto from, Next(bytes));
    return CopyOf(from);
  }

  /// Validity; null where all rows have a value.
  Result<std::shared_ptr<arrow::Buffer>> Validity() {
    if (at_end()) return Status::Invalid("a column lacks its validity");
    if (foreign_.buffers[next_].empty()) {
      ++next_;
      return std::shared_ptr<arrow::Buffer>();
    }
    return Copy(arrow::bit_util::BytesForBits(rows()));
  }

 private:
  Result<std::shared_ptr<arrow::Buffer>> CopyOf(std::span<const uint8_t> from) {
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateBuffer(std::ssize(from), pool_));
    if (!from.empty()) std::memcpy(buffer->mutable_data(), from.data(), from.size());
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }

  const ForeignColumns& foreign_;
  arrow::MemoryPool* pool_;
  size_t next_ = 0;
};

/// Decimals of 16 bytes in 8: their precision says that they fit.
Result<std::shared_ptr<arrow::Buffer>> Narrowed(ForeignReader* reader) {
  const int64_t rows = reader->rows();
  ARROW_ASSIGN_OR_RAISE(const auto wide, reader->Next(rows * kLongDecimalWidth));
  ARROW_ASSIGN_OR_RAISE(auto narrow,
                        arrow::AllocateBuffer(rows * int64_t{sizeof(int64_t)}, reader->pool()));
  for (int64_t row = 0; row < rows; ++row) {
    StoreAs<int64_t>(narrow->mutable_data() + row * int64_t{sizeof(int64_t)},
                     LoadAs<int64_t>(wide.data() + row * kLongDecimalWidth));
  }
  return std::shared_ptr<arrow::Buffer>(std::move(narrow));
}

Status CheckOffsets(std::span<const int32_t> offsets) {
  if (offsets.front() < 0) return Status::Invalid("the offsets of a column begin below 0");
  for (size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] < offsets[i - 1]) {
      return Status::Invalid("the offsets of a column go back at row ", i - 1);
    }
  }
  return Status::OK();
}

Result<arrow::BufferVector> BytesBuffers(ForeignReader* reader) {
  const int64_t count = reader->rows() + 1;
  // Java's vectors of no rows may have no offset at all.
  if (reader->rows() == 0) {
    RETURN_NOT_OK(reader->Next(0));
    RETURN_NOT_OK(reader->Next(0));
    ARROW_ASSIGN_OR_RAISE(auto zero,
                          arrow::AllocateBuffer(int64_t{sizeof(int32_t)}, reader->pool()));
    StoreAs<int32_t>(zero->mutable_data(), 0);
    return arrow::BufferVector{std::move(zero), std::make_shared<arrow::Buffer>(nullptr, 0)};
  }
  ARROW_ASSIGN_OR_RAISE(auto offsets, reader->Copy(count * int64_t{sizeof(int32_t)}));
  const std::span<const int32_t> ends(reinterpret_cast<const int32_t*>(offsets->data()),
                                      static_cast<size_t>(count));
  RETURN_NOT_OK(CheckOffsets(ends));
  ARROW_ASSIGN_OR_RAISE(auto values, reader->Copy(ends.back()));
  return arrow::BufferVector{std::move(offsets), std::move(values)};
}

Result<std::shared_ptr<arrow::Array>> CopyColumn(const DataType& type, ForeignReader* reader) {
  if (type.is(TypeKind::kNull) || type.is(TypeKind::kOther)) {
    return Status::NotImplemented(type.ToString(), " does not come from elsewhere");
  }
  ARROW_ASSIGN_OR_RAISE(const auto native, ToArrow(type));
  ARROW_ASSIGN_OR_RAISE(auto validity, reader->Validity());
  arrow::BufferVector buffers = {std::move(validity)};
  if (arrow::is_base_binary_like(native->id())) {
    ARROW_ASSIGN_OR_RAISE(auto bytes, BytesBuffers(reader));
    buffers.insert(buffers.end(), bytes.begin(), bytes.end());
  } else if (type.is_short_decimal()) {
    ARROW_ASSIGN_OR_RAISE(auto values, Narrowed(reader));
    buffers.push_back(std::move(values));
  } else {
    const int64_t bits = reader->rows() * native->bit_width();
    ARROW_ASSIGN_OR_RAISE(auto values, reader->Copy(arrow::bit_util::BytesForBits(bits)));
    buffers.push_back(std::move(values));
  }
  return arrow::MakeArray(arrow::ArrayData::Make(native, reader->rows(), std::move(buffers)));
}

/// A column in the type that Spark's has elsewhere.
Result<std::shared_ptr<arrow::Array>> ToForeign(const std::shared_ptr<arrow::Array>& column) {
  arrow::MemoryPool* const pool = arrow::default_memory_pool();
  ARROW_ASSIGN_OR_RAISE(auto plain, DecodeDictionary(column, pool));
  if (plain->type_id() != arrow::Type::DECIMAL64) return plain;
  const auto& narrow = static_cast<const arrow::Decimal64Array&>(*plain);
  const auto& type = static_cast<const arrow::DecimalType&>(*narrow.type());
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> wide,
                        arrow::AllocateBuffer(narrow.length() * kLongDecimalWidth, pool));
  const auto* values = reinterpret_cast<const int64_t*>(narrow.raw_values());
  for (int64_t row = 0; row < narrow.length(); ++row) {
    uint8_t* const to = wide->mutable_data() + row * kLongDecimalWidth;
    const int64_t value = LoadAs<int64_t>(reinterpret_cast<const uint8_t*>(values + row));
    StoreAs<int64_t>(to, value);
    StoreAs<int64_t>(to + sizeof(int64_t), value < 0 ? -1 : 0);
  }
  std::shared_ptr<arrow::Buffer> validity = narrow.null_bitmap();
  if (validity != nullptr && narrow.offset() > 0) {
    ARROW_ASSIGN_OR_RAISE(validity, arrow::internal::CopyBitmap(pool, validity->data(),
                                                                narrow.offset(), narrow.length()));
  }
  return arrow::MakeArray(
      arrow::ArrayData::Make(arrow::decimal128(type.precision(), type.scale()), narrow.length(),
                             {std::move(validity), std::move(wide)}, narrow.null_count()));
}

}  // namespace

Result<std::vector<std::shared_ptr<arrow::Array>>> CopyForeign(const ForeignColumns& foreign,
                                                               const std::vector<DataType>& types,
                                                               arrow::MemoryPool* pool) {
  ForeignReader reader(foreign, pool);
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (size_t i = 0; i < types.size(); ++i) {
    auto column = CopyColumn(types[i], &reader);
    if (!column.ok()) return WithPrefix(column.status(), fmt::format("column {}: ", i));
    columns.push_back(std::move(*column));
  }
  if (!reader.at_end())
    return Status::Invalid("there are buffers of more than ", types.size(), " columns");
  return columns;
}

Result<std::shared_ptr<arrow::Buffer>> RecordBatchMessage(const Batch& batch,
                                                          const std::vector<int>& columns,
                                                          bool as_struct) {
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const int column : columns) {
    if (column < 0 || column >= std::ssize(batch.columns)) {
      return Status::Invalid("column ", column, " is asked for, of ", batch.columns.size());
    }
    ARROW_ASSIGN_OR_RAISE(auto array, ToForeign(batch.columns[static_cast<size_t>(column)]));
    fields.push_back(arrow::field(fmt::format("_{}", fields.size()), array->type()));
    arrays.push_back(std::move(array));
  }
  if (as_struct) {
    auto all = std::make_shared<arrow::StructArray>(arrow::struct_(fields), batch.row_count,
                                                    std::move(arrays));
    fields = {arrow::field("struct", all->type())};
    arrays = {std::move(all)};
  }
  const auto records = arrow::RecordBatch::Make(arrow::schema(std::move(fields)), batch.row_count,
                                                std::move(arrays));
  ARROW_ASSIGN_OR_RAISE(const auto out, arrow::io::BufferOutputStream::Create());
  int32_t metadata_bytes = 0;
  int64_t body_bytes = 0;
  RETURN_NOT_OK(arrow::ipc::WriteRecordBatch(*records, /*buffer_start_offset=*/0, out.get(),
                                             &metadata_bytes, &body_bytes,
                                             arrow::ipc::IpcWriteOptions::Defaults()));
  return out->Finish();
}

}  // namespace reprise
