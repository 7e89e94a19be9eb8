#include "replay/value_text.h"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_nested.h>
#include <arrow/builder.h>
#include <arrow/scalar.h>

#include <string>

namespace reprise {

namespace {

Status Append(const arrow::Array& column, int64_t row, std::string* text);

Status AppendList(const arrow::ListArray& lists, int64_t row, std::string* text) {
  *text += '[';
  const int64_t end = lists.value_offset(row + 1);
  for (int64_t i = lists.value_offset(row); i < end; ++i) {
    if (i > lists.value_offset(row)) *text += ", ";
    RETURN_NOT_OK(Append(*lists.values(), i, text));
  }
  *text += ']';
  return Status::OK();
}

Status AppendMap(const arrow::MapArray& maps, int64_t row, std::string* text) {
  *text += '{';
  const int64_t end = maps.value_offset(row + 1);
  for (int64_t i = maps.value_offset(row); i < end; ++i) {
    if (i > maps.value_offset(row)) *text += ", ";
    RETURN_NOT_OK(Append(*maps.keys(), i, text));
    *text += ": ";
    RETURN_NOT_OK(Append(*maps.items(), i, text));
  }
  *text += '}';
  return Status::OK();
}

Status AppendStruct(const arrow::StructArray& structs, int64_t row, std::string* text) {
  *text += '{';
  for (int i = 0; i < structs.num_fields(); ++i) {
    if (i > 0) *text += ", ";
    *text += structs.struct_type()->field(i)->name() + ": ";
    RETURN_NOT_OK(Append(*structs.field(i), row, text));
  }
  *text += '}';
  return Status::OK();
}

Status Append(const arrow::Array& column, int64_t row, std::string* text) {
  if (column.IsNull(row)) {
    *text += "null";
    return Status::OK();
  }
  switch (column.type_id()) {
    case arrow::Type::LIST:
      return AppendList(static_cast<const arrow::ListArray&>(column), row, text);
    case arrow::Type::MAP:
      return AppendMap(static_cast<const arrow::MapArray&>(column), row, text);
    case arrow::Type::STRUCT:
      return AppendStruct(static_cast<const arrow::StructArray&>(column), row, text);
    case arrow::Type::STRING:
      *text += '"';
      *text += static_cast<const arrow::StringArray&>(column).GetView(row);
      *text += '"';
      return Status::OK();
    default:
      ARROW_ASSIGN_OR_RAISE(const auto value, column.GetScalar(row));
      *text += value->ToString();
      return Status::OK();
  }
}

}  // namespace

Result<std::shared_ptr<arrow::Array>> ValueTexts(const arrow::Array& column,
                                                 arrow::MemoryPool* pool) {
  arrow::StringBuilder texts(pool);
  std::string text;
  for (int64_t row = 0; row < column.length(); ++row) {
    if (column.IsNull(row)) {
      RETURN_NOT_OK(texts.AppendNull());
      continue;
    }
    text.clear();
    RETURN_NOT_OK(Append(column, row, &text));
    RETURN_NOT_OK(texts.Append(text));
  }
  return texts.Finish();
}

}  // namespace reprise
