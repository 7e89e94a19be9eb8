#include "wide_decimals.h"

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/type.h>

namespace reprise {

namespace {

std::shared_ptr<arrow::Field> WideField(const std::shared_ptr<arrow::Field>& field) {
  return field->WithType(WideDecimals(field->type()));
}

arrow::FieldVector WideFields(const arrow::FieldVector& fields) {
  arrow::FieldVector wide;
  for (const auto& field : fields) wide.push_back(WideField(field));
  return wide;
}

// Values from the buffer's start on, so that the array's offset holds for both.
Result<std::shared_ptr<arrow::Buffer>> WideValues(const arrow::ArrayData& data) {
  const int64_t count = data.offset + data.length;
  ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateBuffer(count * 2 * sizeof(int64_t)));
  const auto* from = data.GetValues<int64_t>(1, /*absolute_offset=*/0);
  auto* to = reinterpret_cast<int64_t*>(buffer->mutable_data());
  for (int64_t i = 0; i < count; ++i) {
    to[2 * i] = from[i];
    to[2 * i + 1] = from[i] < 0 ? -1 : 0;
  }
  return buffer;
}

Result<std::shared_ptr<arrow::ArrayData>> WideData(const arrow::ArrayData& data) {
  auto wide = std::make_shared<arrow::ArrayData>(data);
  wide->type = WideDecimals(data.type);
  if (data.type->id() == arrow::Type::DECIMAL64) {
    ARROW_ASSIGN_OR_RAISE(wide->buffers[1], WideValues(data));
  }
  for (auto& child : wide->child_data) {
    ARROW_ASSIGN_OR_RAISE(child, WideData(*child));
  }
  return wide;
}

}  // namespace

std::shared_ptr<arrow::DataType> WideDecimals(const std::shared_ptr<arrow::DataType>& type) {
  switch (type->id()) {
    case arrow::Type::DECIMAL64: {
      const auto& decimal = static_cast<const arrow::DecimalType&>(*type);
      return arrow::decimal128(decimal.precision(), decimal.scale());
    }
    case arrow::Type::LIST:
      return arrow::list(WideField(type->field(0)));
    case arrow::Type::MAP: {
      const auto& map = static_cast<const arrow::MapType&>(*type);
      return std::make_shared<arrow::MapType>(WideField(map.key_field()),
                                              WideField(map.item_field()));
    }
    case arrow::Type::STRUCT:
      return arrow::struct_(WideFields(type->fields()));
    default:
      return type;
  }
}

std::shared_ptr<arrow::Schema> WideDecimals(const arrow::Schema& schema) {
  return arrow::schema(WideFields(schema.fields()), schema.metadata());
}

Result<std::shared_ptr<arrow::RecordBatch>> WideDecimals(
    const arrow::RecordBatch& rows, const std::shared_ptr<arrow::Schema>& schema) {
  arrow::ArrayDataVector columns;
  for (const auto& column : rows.column_data()) {
    ARROW_ASSIGN_OR_RAISE(columns.emplace_back(), WideData(*column));
  }
  return arrow::RecordBatch::Make(schema, rows.num_rows(), std::move(columns));
}

}  // namespace reprise
