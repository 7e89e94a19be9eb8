#include "scan/parquet_column_match.h"

#include <arrow/compute/exec.h>
#include <arrow/compute/initialize.h>
#include <arrow/scalar.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scan/parquet_errors.h"

namespace reprise {

namespace {

/// String.toLowerCase(Locale.ROOT).
Result<std::string> LowerCase(const std::string& text) {
  const bool ascii = std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; });
  if (ascii) {
    std::string lower = text;
    for (char& c : lower) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
  }
  RETURN_NOT_OK(arrow::compute::Initialize());
  ARROW_ASSIGN_OR_RAISE(const arrow::Datum lower,
                        arrow::compute::CallFunction("utf8_lower", {arrow::MakeScalar(text)}));
  return std::string(lower.scalar_as<arrow::StringScalar>().view());
}

using Nodes = std::vector<const parquet::schema::Node*>;

Result<Nodes> Matches(const parquet::schema::GroupNode& root, const std::string& name,
                      bool case_sensitive) {
  Nodes matches;
  std::string wanted = name;
  if (!case_sensitive) {
    ARROW_ASSIGN_OR_RAISE(wanted, LowerCase(name));
  }
  for (int i = 0; i < root.field_count(); ++i) {
    std::string candidate = root.field(i)->name();
    if (!case_sensitive) {
      ARROW_ASSIGN_OR_RAISE(candidate, LowerCase(candidate));
    }
    if (candidate == wanted) matches.push_back(root.field(i).get());
  }
  return matches;
}

/// A column that is no plain value in the file.
Status NestedColumnError(const std::string& path, const Field& field, std::string_view actual) {
  return DataError(path, fmt::format("column {} is asked for as {}, but is a {} in the file",
                                     field.name, field.type.ToString(), actual));
}

Status AmbiguousColumnError(const std::string& path, const std::string& name,
                            const Nodes& matches) {
  std::vector<std::string> names;
  for (const auto* node : matches) names.push_back(node->name());
  const std::string list = fmt::format("[{}]", fmt::join(names, ", "));
  return SparkError("FAILED_READ_FILE.NO_HINT", {{"path", path}},
                    fmt::format("cannot read {}: found duplicate field(s) \"{}\": {} in "
                                "case-insensitive mode; set spark.sql.caseSensitive=true",
                                path, name, list));
}

}  // namespace

Result<std::vector<ColumnMatch>> MatchColumns(const parquet::SchemaDescriptor& schema,
                                              const std::vector<Field>& requested,
                                              bool case_sensitive, const std::string& path) {
  std::vector<ColumnMatch> leaves;
  leaves.reserve(requested.size());
  for (const auto& field : requested) {
    ARROW_ASSIGN_OR_RAISE(const Nodes matches,
                          Matches(*schema.group_node(), field.name, case_sensitive));
    if (matches.size() > 1 && !case_sensitive) {
      return AmbiguousColumnError(path, field.name, matches);
    }
    if (matches.empty()) {
      if (!field.nullable) {
        return DataError(path, fmt::format("required column {} is missing in it", field.name));
      }
      leaves.emplace_back();
      continue;
    }
    for (const auto* node : matches) {
      if (!node->is_primitive()) return NestedColumnError(path, field, "group");
      if (node->is_repeated()) return NestedColumnError(path, field, "repeated field");
    }
    leaves.push_back({schema.ColumnIndex(*matches.front()), schema.ColumnIndex(*matches.back())});
  }
  return leaves;
}

}  // namespace reprise
