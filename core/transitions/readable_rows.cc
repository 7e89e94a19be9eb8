#include "transitions/readable_rows.h"

#include "base/batch.h"
#include "transitions/nested_column.h"

namespace reprise {

Result<std::shared_ptr<arrow::Schema>> ReadableSchema(const std::vector<Field>& fields) {
  arrow::FieldVector readable;
  for (const Field& field : fields) {
    ARROW_ASSIGN_OR_RAISE(auto type, ReadableType(field.type));
    readable.push_back(arrow::field(field.name, std::move(type), field.nullable));
  }
  return arrow::schema(std::move(readable));
}

Result<std::shared_ptr<arrow::RecordBatch>> ReadableRows(
    const arrow::RecordBatch& rows, const std::vector<Field>& fields,
    const std::shared_ptr<arrow::Schema>& schema) {
  arrow::ArrayVector columns;
  for (size_t i = 0; i < fields.size(); ++i) {
    const int at = static_cast<int>(i);
    ARROW_ASSIGN_OR_RAISE(columns.emplace_back(),
                          DecodeDictionary(rows.column(at), arrow::default_memory_pool()));
    if (columns[i]->type()->Equals(*schema->field(at)->type())) continue;
    auto column = ReadableColumn(columns[i], fields[i].type, arrow::default_memory_pool());
    if (!column.ok()) return WithPrefix(column.status(), "column " + fields[i].name + ": ");
    columns[i] = *std::move(column);
  }
  return arrow::RecordBatch::Make(schema, rows.num_rows(), std::move(columns));
}

}  // namespace reprise
