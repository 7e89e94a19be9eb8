#include "transitions/item_column.h"

namespace reprise {

namespace {

template <typename Builder, typename T>
Status AppendFixed(NestedBytes bytes, int64_t position, arrow::ArrayBuilder* builder) {
  ARROW_ASSIGN_OR_RAISE(const T value, LoadNested<T>(bytes, position));
  return static_cast<Builder*>(builder)->Append(value);
}

Status AppendDecimal(const NestedType& type, NestedBytes bytes, int64_t position,
                     arrow::ArrayBuilder* builder) {
  if (!type.is_long_decimal) {
    ARROW_ASSIGN_OR_RAISE(const auto value, LoadNested<int64_t>(bytes, position));
    return static_cast<arrow::Decimal64Builder*>(builder)->Append(arrow::Decimal64(value));
  }
  ARROW_ASSIGN_OR_RAISE(const auto value, LoadLongDecimal(bytes, position));
  return static_cast<arrow::Decimal128Builder*>(builder)->Append(value);
}

/// Numbers that stand in arrays as they do in Arrow's columns.
template <typename Builder>
Status AppendNumbers(const NestedItems& elements, arrow::ArrayBuilder* builder) {
  using Number = typename Builder::value_type;
  constexpr auto kWidth = static_cast<int64_t>(sizeof(Number));
  const int64_t end = elements.first + elements.count * kWidth;
  if (end > std::ssize(elements.bytes)) {
    return NestedValueEndsBeyond("an element", end, elements.bytes);
  }
  auto* const numbers = static_cast<Builder*>(builder);
  RETURN_NOT_OK(numbers->Reserve(elements.count));
  const uint8_t* next = elements.bytes.data() + elements.first;
  for (int64_t i = 0; i < elements.count; ++i, next += kWidth) {
    if (elements.is_null(i)) {
      numbers->UnsafeAppendNull();
    } else {
      numbers->UnsafeAppend(LoadAs<Number>(next));
    }
  }
  return Status::OK();
}

/// Strings and bytes, to which the elements' words refer.
Status AppendBytes(const NestedItems& elements, arrow::BinaryBuilder* builder) {
  int64_t size = 0;
  for (int64_t i = 0; i < elements.count; ++i) {
    if (elements.is_null(i)) continue;
    ARROW_ASSIGN_OR_RAISE(const NestedBytes value,
                          VariablePart(elements.bytes, elements.first + i * kRowWordBytes));
    size += std::ssize(value);
  }
  RETURN_NOT_OK(builder->Reserve(elements.count));
  RETURN_NOT_OK(builder->ReserveData(size));
  for (int64_t i = 0; i < elements.count; ++i) {
    if (elements.is_null(i)) {
      builder->UnsafeAppendNull();
      continue;
    }
    const auto word = LoadAs<uint64_t>(elements.bytes.data() + elements.first + i * kRowWordBytes);
    builder->UnsafeAppend(elements.bytes.data() + (word >> 32), static_cast<int32_t>(word));
  }
  return Status::OK();
}

}  // namespace

Status AppendPlainElements(const NestedType& type, const NestedItems& elements,
                           arrow::ArrayBuilder* builder) {
  switch (type.stored) {
    case TypeKind::kInteger:
      return AppendNumbers<arrow::Int32Builder>(elements, builder);
    case TypeKind::kLong:
      return AppendNumbers<arrow::Int64Builder>(elements, builder);
    case TypeKind::kFloat:
      return AppendNumbers<arrow::FloatBuilder>(elements, builder);
    case TypeKind::kDouble:
      return AppendNumbers<arrow::DoubleBuilder>(elements, builder);
    case TypeKind::kString:
    case TypeKind::kBinary:
      return AppendBytes(elements, static_cast<arrow::BinaryBuilder*>(builder));
    default:
      break;
  }
  for (int64_t i = 0; i < elements.count; ++i) {
    if (elements.is_null(i)) {
      RETURN_NOT_OK(builder->AppendNull());
    } else {
      RETURN_NOT_OK(
          AppendPlainItem(type, elements.bytes, elements.first + i * type.element_bytes, builder));
    }
  }
  return Status::OK();
}

Status AppendPlainItem(const NestedType& type, NestedBytes bytes, int64_t position,
                       arrow::ArrayBuilder* builder) {
  switch (type.stored) {
    case TypeKind::kNull:
      return builder->AppendNull();
    case TypeKind::kBoolean: {
      ARROW_ASSIGN_OR_RAISE(const auto value, LoadNested<uint8_t>(bytes, position));
      return static_cast<arrow::BooleanBuilder*>(builder)->Append(value != 0);
    }
    case TypeKind::kByte:
      return AppendFixed<arrow::Int8Builder, int8_t>(bytes, position, builder);
    case TypeKind::kShort:
      return AppendFixed<arrow::Int16Builder, int16_t>(bytes, position, builder);
    case TypeKind::kInteger:
      return AppendFixed<arrow::Int32Builder, int32_t>(bytes, position, builder);
    case TypeKind::kLong:
      return AppendFixed<arrow::Int64Builder, int64_t>(bytes, position, builder);
    case TypeKind::kFloat:
      return AppendFixed<arrow::FloatBuilder, float>(bytes, position, builder);
    case TypeKind::kDouble:
      return AppendFixed<arrow::DoubleBuilder, double>(bytes, position, builder);
    case TypeKind::kDate:
      return AppendFixed<arrow::Date32Builder, int32_t>(bytes, position, builder);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return AppendFixed<arrow::TimestampBuilder, int64_t>(bytes, position, builder);
    case TypeKind::kDecimal:
      return AppendDecimal(type, bytes, position, builder);
    default: {
      ARROW_ASSIGN_OR_RAISE(const NestedBytes value, VariablePart(bytes, position));
      return static_cast<arrow::BinaryBuilder*>(builder)->Append(
          value.data(), static_cast<int32_t>(value.size()));
    }
  }
}

Result<ItemColumn> ItemColumn::Make(const DataType& type, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto arrow_type, ToArrow(type));
  ARROW_ASSIGN_OR_RAISE(auto builder, arrow::MakeBuilder(arrow_type, pool));
  return ItemColumn(PlainItemType(type), std::move(builder));
}

Status ItemColumn::Append(const NestedItems& items, int64_t item, int64_t width) {
  if (items.is_null(item)) return builder_->AppendNull();
  return AppendPlainItem(type_, items.bytes, items.first + item * width, builder_.get());
}

int64_t ItemColumn::VariableBytes(const NestedItems& items, int64_t item, int64_t width) const {
  const bool is_variable = type_.stored == TypeKind::kString || type_.stored == TypeKind::kBinary;
  if (!is_variable || items.is_null(item)) return 0;
  const auto word = LoadNested<uint64_t>(items.bytes, items.first + item * width);
  return word.ok() ? static_cast<int64_t>(*word & 0xffffffff) : 0;
}

}  // namespace reprise
