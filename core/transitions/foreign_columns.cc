#include "transitions/foreign_columns.h"

#include <arrow/array.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/writer.h>
#include <arrow/type_traits.h>
#include <arrow/util/bit_util.h>
#include <arrow/util/bitmap_ops.h>
#include <arrow/util/key_value_metadata.h>
#include <fmt/format.h>

#include <cstring>

#include "plan/nested_type.h"
#include "plan/unsafe_row.h"
#include "transitions/arrow_source.h"
#include "transitions/nested_column.h"
#include "transitions/stored_column.h"

namespace reprise {

namespace {

constexpr int64_t kLongDecimalWidth = 16;

/// Takes the buffers of one column after the other.
class ForeignReader {
 public:
  ForeignReader(const ForeignColumns& foreign, arrow::MemoryPool* pool)
      : foreign_(foreign), pool_(pool) {}

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

  /// Validity; null where all of so many rows have a value.
  Result<std::shared_ptr<arrow::Buffer>> Validity(int64_t rows) {
    if (at_end()) return Status::Invalid("a column lacks its validity");
    if (foreign_.buffers[next_].empty()) {
      ++next_;
      return std::shared_ptr<arrow::Buffer>();
    }
    return Copy(arrow::bit_util::BytesForBits(rows));
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
Result<std::shared_ptr<arrow::Buffer>> Narrowed(int64_t rows, ForeignReader* reader) {
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

/// Of so many rows one offset more.
Result<std::shared_ptr<arrow::Buffer>> Offsets(int64_t rows, ForeignReader* reader) {
  // Java's vectors of no rows may have no offset at all.
  if (rows == 0) {
    RETURN_NOT_OK(reader->Next(0));
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> zero,
                          arrow::AllocateBuffer(int64_t{sizeof(int32_t)}, reader->pool()));
    StoreAs<int32_t>(zero->mutable_data(), 0);
    return zero;
  }
  ARROW_ASSIGN_OR_RAISE(auto offsets, reader->Copy((rows + 1) * int64_t{sizeof(int32_t)}));
  RETURN_NOT_OK(CheckOffsets({offsets->data_as<int32_t>(), static_cast<size_t>(rows + 1)}));
  return offsets;
}

Result<std::shared_ptr<arrow::Array>> CopyPlain(const DataType& type, int64_t rows,
                                                ForeignReader* reader) {
  ARROW_ASSIGN_OR_RAISE(const auto native, ToArrow(type));
  ARROW_ASSIGN_OR_RAISE(auto validity, reader->Validity(rows));
  arrow::BufferVector buffers = {std::move(validity)};
  if (arrow::is_base_binary_like(native->id())) {
    ARROW_ASSIGN_OR_RAISE(auto offsets, Offsets(rows, reader));
    ARROW_ASSIGN_OR_RAISE(auto values, reader->Copy(offsets->data_as<int32_t>()[rows]));
    buffers.push_back(std::move(offsets));
    buffers.push_back(std::move(values));
  } else if (type.is_short_decimal()) {
    ARROW_ASSIGN_OR_RAISE(auto values, Narrowed(rows, reader));
    buffers.push_back(std::move(values));
  } else {
    const int64_t bits = rows * native->bit_width();
    ARROW_ASSIGN_OR_RAISE(auto values, reader->Copy(arrow::bit_util::BytesForBits(bits)));
    buffers.push_back(std::move(values));
  }
  return arrow::MakeArray(arrow::ArrayData::Make(native, rows, std::move(buffers)));
}

/// In which a part of a nested type travels.
DataType TravelType(const NestedType& part) {
  return part.parts.empty() ? part.type : DataType{TypeKind::kBinary, 0, 0, {}};
}

StoredNulls NullsOf(std::shared_ptr<arrow::Buffer> validity, int64_t rows) {
  if (validity == nullptr) return {};
  const int64_t valid = arrow::internal::CountSetBits(validity->data(), 0, rows);
  return {std::move(validity), rows - valid};
}

Result<std::shared_ptr<arrow::Array>> CopyNested(const NestedType& type, int64_t rows,
                                                 ForeignReader* reader);

Result<std::shared_ptr<arrow::Array>> CopyPart(const NestedType& part, int64_t rows,
                                               ForeignReader* reader) {
  return part.parts.empty() ? CopyPlain(part.type, rows, reader) : CopyNested(part, rows, reader);
}

Result<std::shared_ptr<arrow::Array>> CopyStructs(const NestedType& type, int64_t rows,
                                                  ForeignReader* reader) {
  ARROW_ASSIGN_OR_RAISE(auto validity, reader->Validity(rows));
  std::vector<Field> fields;
  arrow::ArrayVector columns;
  for (const NestedType& part : type.parts) {
    fields.push_back({"", TravelType(part), true});
    ARROW_ASSIGN_OR_RAISE(columns.emplace_back(), CopyPart(part, rows, reader));
  }
  ARROW_ASSIGN_OR_RAISE(StoredStructs structs, StoredStructs::Make(fields, reader->pool()));
  return structs.Of(std::move(columns), rows, NullsOf(std::move(validity), rows));
}

Result<std::shared_ptr<arrow::Array>> CopyNested(const NestedType& type, int64_t rows,
                                                 ForeignReader* reader) {
  if (type.form == NestedType::Form::kStruct) return CopyStructs(type, rows, reader);
  ARROW_ASSIGN_OR_RAISE(auto validity, reader->Validity(rows));
  StoredLists lists{rows, nullptr, NullsOf(std::move(validity), rows)};
  ARROW_ASSIGN_OR_RAISE(lists.offsets, Offsets(rows, reader));
  const int64_t items = lists.offset(rows);
  const NestedType& first = type.parts[0];
  if (type.form == NestedType::Form::kArray) {
    ARROW_ASSIGN_OR_RAISE(const auto elements, CopyPart(first, items, reader));
    return StoredArrays(lists, TravelType(first), *elements, reader->pool());
  }
  RETURN_NOT_OK(reader->Validity(items));  // of entries, which all are there
  const NestedType& second = type.parts[1];
  ARROW_ASSIGN_OR_RAISE(const auto keys, CopyPart(first, items, reader));
  ARROW_ASSIGN_OR_RAISE(const auto values, CopyPart(second, items, reader));
  return StoredMaps(lists, TravelType(first), *keys, TravelType(second), *values, reader->pool());
}

Result<std::shared_ptr<arrow::Array>> CopyColumn(const DataType& type, int64_t rows,
                                                 ForeignReader* reader) {
  if (!type.is(TypeKind::kNull) && !type.is(TypeKind::kOther)) {
    return CopyPlain(type, rows, reader);
  }
  const auto nested = ParseNestedType(type);
  if (nested && !nested->parts.empty()) return CopyNested(*nested, rows, reader);
  return Status::NotImplemented(type.ToString(), " does not come from elsewhere");
}

Result<std::shared_ptr<arrow::Array>> Widened(const arrow::Decimal64Array& narrow) {
  arrow::MemoryPool* const pool = arrow::default_memory_pool();
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

/// With decimals as others have them; lists, maps and structs with those in them.
Result<std::shared_ptr<arrow::Array>> WithWideDecimals(const std::shared_ptr<arrow::Array>& array) {
  if (array->type_id() == arrow::Type::DECIMAL64) {
    return Widened(static_cast<const arrow::Decimal64Array&>(*array));
  }
  if (array->data()->child_data.empty()) return array;
  const std::shared_ptr<arrow::ArrayData> data = array->data()->Copy();
  arrow::FieldVector fields = data->type->fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(const auto child,
                          WithWideDecimals(arrow::MakeArray(data->child_data[i])));
    data->child_data[i] = child->data();
    fields[i] = fields[i]->WithType(child->type());
  }
  if (data->type->id() == arrow::Type::LIST) {
    data->type = arrow::list(fields[0]);
  } else if (data->type->id() == arrow::Type::MAP) {
    ARROW_ASSIGN_OR_RAISE(data->type, arrow::MapType::Make(fields[0]));
  } else {
    data->type = arrow::struct_(fields);
  }
  return arrow::MakeArray(data);
}

/// Of a field of a ForeignSchema: its type where that is nested.
constexpr const char* kNestedType = "spark.type";

/// A column in the type that Spark's has elsewhere; `field`: its own, where that is known.
Result<std::shared_ptr<arrow::Array>> ToForeign(const std::shared_ptr<arrow::Array>& column,
                                                const arrow::Field* field) {
  arrow::MemoryPool* const pool = arrow::default_memory_pool();
  ARROW_ASSIGN_OR_RAISE(auto plain, DecodeDictionary(column, pool));
  if (field != nullptr && field->HasMetadata()) {
    ARROW_ASSIGN_OR_RAISE(std::string text, field->metadata()->Get(kNestedType));
    const DataType nested{TypeKind::kOther, 0, 0, std::move(text)};
    ARROW_ASSIGN_OR_RAISE(plain, ReadableColumn(plain, nested, pool));
  }
  return WithWideDecimals(plain);
}

}  // namespace

Result<std::vector<std::shared_ptr<arrow::Array>>> CopyForeign(const ForeignColumns& foreign,
                                                               const std::vector<DataType>& types,
                                                               arrow::MemoryPool* pool) {
  ForeignReader reader(foreign, pool);
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (size_t i = 0; i < types.size(); ++i) {
    auto column = CopyColumn(types[i], foreign.rows, &reader);
    if (!column.ok()) return WithPrefix(column.status(), fmt::format("column {}: ", i));
    columns.push_back(std::move(*column));
  }
  if (!reader.at_end())
    return Status::Invalid("there are buffers of more than ", types.size(), " columns");
  return columns;
}

Result<std::shared_ptr<arrow::Schema>> ForeignSchema(const std::vector<Field>& fields) {
  ARROW_ASSIGN_OR_RAISE(const auto schema, ToArrowSchema(fields));
  arrow::FieldVector columns = schema->fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].type.is(TypeKind::kOther)) continue;
    columns[i] =
        columns[i]->WithMetadata(arrow::key_value_metadata({{kNestedType, fields[i].type.text}}));
  }
  return arrow::schema(std::move(columns));
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
    const auto field = batch.schema == nullptr ? nullptr : batch.schema->field(column);
    ARROW_ASSIGN_OR_RAISE(auto array,
                          ToForeign(batch.columns[static_cast<size_t>(column)], field.get()));
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
