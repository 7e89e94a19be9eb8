#include "transitions/nested_column.h"

#include <arrow/builder.h>

#include "transitions/item_column.h"

namespace reprise {

namespace {

using Form = NestedType::Form;
using Bytes = NestedBytes;

Status AppendWhole(const NestedType& type, Bytes bytes, arrow::ArrayBuilder* builder);

// The value whose fixed part, or reference, is at `position`.
Status AppendAt(const NestedType& type, Bytes bytes, int64_t position,
                arrow::ArrayBuilder* builder) {
  if (type.form == Form::kPlain) return AppendPlainItem(type, bytes, position, builder);
  ARROW_ASSIGN_OR_RAISE(const Bytes value, VariablePart(bytes, position));
  return AppendWhole(type, value, builder);
}

Status AppendElements(const NestedType& element, const NestedItems& elements,
                      arrow::ArrayBuilder* builder) {
  if (element.form == Form::kPlain) return AppendPlainElements(element, elements, builder);
  for (int64_t i = 0; i < elements.count; ++i) {
    if (elements.is_null(i)) {
      RETURN_NOT_OK(builder->AppendNull());
    } else {
      RETURN_NOT_OK(
          AppendAt(element, elements.bytes, elements.first + i * element.element_bytes, builder));
    }
  }
  return Status::OK();
}

Status AppendMap(const NestedType& type, Bytes bytes, arrow::MapBuilder* builder) {
  ARROW_ASSIGN_OR_RAISE(const NestedMap entries, EntriesOf(bytes));
  RETURN_NOT_OK(builder->Append());
  RETURN_NOT_OK(AppendElements(type.parts[0], entries.keys, builder->key_builder()));
  return AppendElements(type.parts[1], entries.values, builder->item_builder());
}

Status AppendStruct(const NestedType& type, Bytes bytes, arrow::StructBuilder* builder) {
  ARROW_ASSIGN_OR_RAISE(const NestedItems fields, FieldsOf(bytes, std::ssize(type.parts)));
  RETURN_NOT_OK(builder->Append());
  for (int64_t i = 0; i < fields.count; ++i) {
    arrow::ArrayBuilder* field = builder->field_builder(static_cast<int>(i));
    if (fields.is_null(i)) {
      RETURN_NOT_OK(field->AppendNull());
    } else {
      RETURN_NOT_OK(AppendAt(type.parts[static_cast<size_t>(i)], bytes,
                             fields.first + i * kRowWordBytes, field));
    }
  }
  return Status::OK();
}

// A value that is all of `bytes`.
Status AppendWhole(const NestedType& type, Bytes bytes, arrow::ArrayBuilder* builder) {
  switch (type.form) {
    case Form::kText:
      return static_cast<arrow::StringBuilder*>(builder)->Append(
          reinterpret_cast<const char*>(bytes.data()), static_cast<int32_t>(bytes.size()));
    case Form::kCalendarInterval: {
      ARROW_ASSIGN_OR_RAISE(const auto months, LoadNested<int32_t>(bytes, 0, "an interval"));
      ARROW_ASSIGN_OR_RAISE(const auto days, LoadNested<int32_t>(bytes, 4, "an interval"));
      ARROW_ASSIGN_OR_RAISE(const auto micros, LoadNested<int64_t>(bytes, 8, "an interval"));
      int64_t nanos = 0;
      if (__builtin_mul_overflow(micros, int64_t{1000}, &nanos)) {
        return Status::Invalid("an interval of ", micros, " microseconds is none in nanoseconds");
      }
      return static_cast<arrow::MonthDayNanoIntervalBuilder*>(builder)->Append(
          {months, days, nanos});
    }
    case Form::kArray: {
      auto* list = static_cast<arrow::ListBuilder*>(builder);
      RETURN_NOT_OK(list->Append());
      ARROW_ASSIGN_OR_RAISE(const NestedItems elements, ElementsOf(bytes));
      return AppendElements(type.parts[0], elements, list->value_builder());
    }
    case Form::kMap:
      return AppendMap(type, bytes, static_cast<arrow::MapBuilder*>(builder));
    case Form::kStruct:
      return AppendStruct(type, bytes, static_cast<arrow::StructBuilder*>(builder));
    case Form::kPlain:
      break;
  }
  return static_cast<arrow::BinaryBuilder*>(builder)->Append(bytes.data(),
                                                             static_cast<int32_t>(bytes.size()));
}

}  // namespace

Result<std::shared_ptr<arrow::DataType>> ReadableType(const DataType& type) {
  const auto nested = ParseNestedType(type);
  if (!nested) return ToArrow(type);
  return nested->arrow;
}

Result<std::shared_ptr<arrow::Array>> ReadableColumn(const std::shared_ptr<arrow::Array>& column,
                                                     const DataType& type,
                                                     arrow::MemoryPool* pool) {
  const auto nested = ParseNestedType(type);
  return nested ? ReadableColumn(column, type, *nested, pool) : column;
}

Result<std::shared_ptr<arrow::Array>> ReadableColumn(const std::shared_ptr<arrow::Array>& column,
                                                     const DataType& type, const NestedType& nested,
                                                     arrow::MemoryPool* pool) {
  if (column->type()->Equals(*nested.arrow)) return column;
  if (column->type_id() != arrow::Type::BINARY) {
    return Status::TypeError("values of ", type.ToString(), " travel in binary, not in ",
                             column->type()->ToString());
  }
  const auto& stored = static_cast<const arrow::BinaryArray&>(*column);
  ARROW_ASSIGN_OR_RAISE(const auto builder, arrow::MakeBuilder(nested.arrow, pool));
  RETURN_NOT_OK(builder->Reserve(stored.length()));
  for (int64_t i = 0; i < stored.length(); ++i) {
    if (stored.IsNull(i)) {
      RETURN_NOT_OK(builder->AppendNull());
      continue;
    }
    RETURN_NOT_OK(AppendWhole(nested, ToNestedBytes(stored.GetView(i)), builder.get()));
  }
  return builder->Finish();
}

}  // namespace reprise
