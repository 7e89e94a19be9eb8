#include "scan/parquet_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "scan/column_names.h"
#include "scan/file_errors.h"

namespace reprise {

namespace {

using parquet::schema::GroupNode;
using parquet::schema::Node;

std::string NamesOf(const FoundField& fields) {
  std::vector<std::string> names;
  for (const Node* field : fields) names.push_back(field->name());
  return fmt::format("[{}]", fmt::join(names, ", "));
}

Status AmbiguousNameError(const std::string& path, const std::string& name,
                          const FoundField& fields) {
  return SparkError("FAILED_READ_FILE.NO_HINT", {{"path", path}},
                    fmt::format("cannot read {}: found duplicate field(s) \"{}\": {} in "
                                "case-insensitive mode; set spark.sql.caseSensitive=true",
                                path, name, NamesOf(fields)));
}

Status AmbiguousIdError(const std::string& path, const WantedField& wanted,
                        const FoundField& fields) {
  return SparkError(
      "FAILED_READ_FILE.NO_HINT", {{"path", path}},
      fmt::format("cannot read {}: column {} has the field id {}, which several fields of the file "
                  "have: {}; give each an id of its own, or set "
                  "spark.sql.parquet.fieldId.read.enabled=false",
                  path, wanted.name, wanted.id, NamesOf(fields)));
}

Status CrossingError(const std::string& path, const WantedField& wanted, std::string_view why) {
  return Status::NotImplemented(path, ": column ", wanted.name, " has the field id ", wanted.id,
                                ", but ", why,
                                ": only Spark reads it so; replay it with --engine spark");
}

FoundField FieldsOfId(const GroupNode& group, int32_t id) {
  FoundField fields;
  for (int i = 0; i < group.field_count(); ++i) {
    if (group.field(i)->field_id() == id) fields.push_back(group.field(i).get());
  }
  return fields;
}

bool HasFieldIds(const Node& node) {
  if (node.field_id() >= 0) return true;
  if (!node.is_group()) return false;
  const auto& group = static_cast<const GroupNode&>(node);
  for (int i = 0; i < group.field_count(); ++i) {
    if (HasFieldIds(*group.field(i))) return true;
  }
  return false;
}

/// What has been found for `wanted` by ids must be one field each.
Status CheckDistinct(const std::vector<WantedField>& wanted, const std::vector<FoundField>& found,
                     const std::string& path) {
  std::set<int32_t> ids;
  std::set<const Node*> fields;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const bool is_new_id = wanted[i].id == kNoFieldId || ids.insert(wanted[i].id).second;
    const bool is_new_field = found[i].empty() || fields.insert(found[i].front()).second;
    if (!is_new_id || !is_new_field) {
      return CrossingError(path, wanted[i], "another column is the same field of the file");
    }
  }
  return Status::OK();
}

}  // namespace

Result<std::vector<FoundField>> FindFields(const GroupNode& group,
                                           const std::vector<WantedField>& wanted,
                                           const ColumnMatching& matching,
                                           const std::string& path) {
  std::vector<std::string> names;
  for (int i = 0; i < group.field_count(); ++i) names.push_back(group.field(i)->name());
  std::vector<FoundField> found;
  for (const WantedField& field : wanted) {
    ARROW_ASSIGN_OR_RAISE(const auto places,
                          PlacesOfName(names, field.name, matching.case_sensitive));
    FoundField named;
    for (const size_t place : places) named.push_back(group.field(static_cast<int>(place)).get());
    if (!matching.by_ids() || field.id == kNoFieldId) {
      if (named.size() > 1 && !matching.case_sensitive) {
        return AmbiguousNameError(path, field.name, named);
      }
      found.push_back(std::move(named));
      continue;
    }
    FoundField of_id = FieldsOfId(group, field.id);
    if (of_id.size() > 1) return AmbiguousIdError(path, field, of_id);
    if (!named.empty() && named != of_id) {
      return CrossingError(path, field, "another field of the file has its name");
    }
    found.push_back(std::move(of_id));
  }
  if (matching.by_ids()) RETURN_NOT_OK(CheckDistinct(wanted, found, path));
  return found;
}

Status CheckHasFieldIds(const GroupNode& schema, const std::string& path) {
  if (HasFieldIds(schema)) return Status::OK();
  return SparkError(
      "FAILED_READ_FILE.NO_HINT", {{"path", path}},
      fmt::format("cannot read {}: the columns have field ids, but no field of the file has one; "
                  "set spark.sql.parquet.fieldId.read.ignoreMissing=true, or take the ids out of "
                  "the schema",
                  path));
}

Status MissingColumnError(const std::string& path, const std::string& name) {
  return DataError(path, fmt::format("required column {} is missing in it", name));
}

}  // namespace reprise
