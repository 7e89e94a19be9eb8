#include "scan/partition_columns.h"

#include <arrow/array/array_dict.h>
#include <arrow/array/util.h>

#include <algorithm>

#include "scan/file_split.h"

namespace reprise {

Status CheckSplit(const FileSplit& split, const std::vector<Field>& partition_columns) {
  if (split.start < 0 || split.length < 0) {
    return Status::Invalid("split of ", split.path, " has a negative start or length");
  }
  if (split.partition_values.size() != partition_columns.size()) {
    return Status::Invalid("split of ", split.path, " has ", split.partition_values.size(),
                           " partition values; expected ", partition_columns.size());
  }
  for (size_t i = 0; i < partition_columns.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(partition_columns[i].type));
    const auto& value = split.partition_values[i];
    if (value == nullptr || !value->type->Equals(*type)) {
      return Status::Invalid(
          "split of ", split.path, ": value of partition column ", partition_columns[i].name,
          " is ", value ? value->type->ToString() : "absent", "; expected ", type->ToString());
    }
  }
  return Status::OK();
}

Result<std::shared_ptr<arrow::Array>> ConstantColumn(const std::shared_ptr<arrow::Scalar>& value,
                                                     int64_t rows, arrow::MemoryPool* pool) {
  if (!value->is_valid || value->type->id() != arrow::Type::STRING) {
    return arrow::MakeArrayFromScalar(*value, rows, pool);
  }
  ARROW_ASSIGN_OR_RAISE(auto dictionary, arrow::MakeArrayFromScalar(*value, 1, pool));
  ARROW_ASSIGN_OR_RAISE(auto indices,
                        arrow::MakeArrayFromScalar(*arrow::MakeScalar(int32_t{0}), rows, pool));
  return std::make_shared<arrow::DictionaryArray>(arrow::dictionary(arrow::int32(), arrow::utf8()),
                                                  std::move(indices), std::move(dictionary));
}

Status ConstantColumns::AppendTo(std::vector<std::shared_ptr<arrow::Array>>* columns,
                                 const FileSplit& split, int64_t rows, arrow::MemoryPool* pool) {
  if (columns_.empty() || rows_ < rows) {
    columns_.clear();
    rows_ = rows;
    for (const auto& value : split.partition_values) {
      ARROW_ASSIGN_OR_RAISE(auto constant, ConstantColumn(value, rows, pool));
      columns_.push_back(std::move(constant));
    }
  }
  for (const auto& constant : columns_) columns->push_back(constant->Slice(0, rows));
  return Status::OK();
}

Result<std::vector<Field>> FieldsArgument(const nlohmann::json& arguments, const char* name) {
  if (!arguments.contains(name)) return Status::Invalid("argument \"", name, "\" is missing");
  auto fields = FieldsFromJson(arguments[name]);
  return fields.ok() ? fields : WithPrefix(fields.status(), std::string(name) + ": ");
}

Status CheckScanOutput(const std::vector<Field>& output, const std::vector<Field>& columns,
                       const std::vector<Field>& partition_columns) {
  std::vector<Field> all = columns;
  all.insert(all.end(), partition_columns.begin(), partition_columns.end());
  const bool same = std::ranges::equal(
      all, output, [](const Field& a, const Field& b) { return a.type == b.type; });
  if (!same) {
    return Status::Invalid("\"output\" differs from \"columns\" and \"partitionColumns\"");
  }
  for (const auto& field : all) RETURN_NOT_OK(ToArrow(field.type));
  return Status::OK();
}

}  // namespace reprise
