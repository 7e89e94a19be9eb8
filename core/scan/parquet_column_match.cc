#include "scan/parquet_column_match.h"

#include <fmt/format.h>

#include "scan/parquet_errors.h"

namespace reprise {

namespace {

/// A column that is no plain value in the file.
Status NestedColumnError(const std::string& path, const Field& field, std::string_view actual) {
  return DataError(path, fmt::format("column {} is asked for as {}, but is a {} in the file",
                                     field.name, field.type.ToString(), actual));
}

}  // namespace

Result<std::vector<ColumnMatch>> MatchColumns(const parquet::SchemaDescriptor& schema,
                                              const std::vector<Field>& requested,
                                              const ColumnMatching& matching,
                                              const std::string& path) {
  std::vector<ColumnMatch> columns;
  columns.reserve(requested.size());
  if (matching.needs_field_ids) RETURN_NOT_OK(CheckHasFieldIds(*schema.group_node(), path));
  std::vector<WantedField> wanted;
  for (size_t i = 0; i < requested.size(); ++i) {
    wanted.push_back({requested[i].name, matching.by_ids() ? matching.field_ids[i] : kNoFieldId});
  }
  ARROW_ASSIGN_OR_RAISE(const auto found, FindFields(*schema.group_node(), wanted, matching, path));
  for (size_t i = 0; i < requested.size(); ++i) {
    const Field& field = requested[i];
    const FoundField& matches = found[i];
    ColumnMatch& column = columns.emplace_back();
    if (matches.empty()) {
      column.is_row_number = field.name == kRowNumberColumn && field.type.is(TypeKind::kLong);
      if (column.is_row_number) continue;
      if (!field.nullable) return MissingColumnError(path, field.name);
      continue;
    }
    const auto nested = ParseNestedType(field.type);
    if (nested && !nested->parts.empty()) {
      ARROW_ASSIGN_OR_RAISE(auto match,
                            MatchNested(schema, *matches.front(), *nested, matching, path));
      if (match.form == NestedMatch::Form::kMissing) continue;
      column.leaves = LeavesOf(match);
      column.nested = std::make_shared<NestedMatch>(std::move(match));
      continue;
    }
    for (const auto* node : matches) {
      if (!node->is_primitive()) return NestedColumnError(path, field, "group");
      if (node->is_repeated()) return NestedColumnError(path, field, "repeated field");
    }
    column.leaves = {schema.ColumnIndex(*matches.front())};
    column.statistics = schema.ColumnIndex(*matches.back());
  }
  return columns;
}

}  // namespace reprise
