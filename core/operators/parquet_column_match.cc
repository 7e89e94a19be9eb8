#include "operators/parquet_column_match.h"

#include <arrow/compute/exec.h>
#include <arrow/compute/initialize.h>
#include <arrow/scalar.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "operators/parquet_errors.h"

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
  // Of several with exactly the same name Spark takes the last.
  if (case_sensitive && matches.size() > 1) matches = {matches.back()};
  return matches;
}

Status AmbiguousColumnError(const std::string& path, const std::string& name,
                            const Nodes& matches) {
  std::vector<std::string> names;
  for (const auto* node : matches) names.push_back(node->name());
  const std::string list = fmt::format("[{}]", fmt::join(names, ", "));
  return SparkError("_LEGACY_ERROR_TEMP_2093",
                    {{"requiredFieldName", name}, {"matchedOrcFields", list}},
                    fmt::format("cannot read {}: found duplicate field(s) \"{}\": {} in "
                                "case-insensitive mode; set spark.sql.caseSensitive=true",
                                path, name, list));
}

}  // namespace

Result<std::vector<int>> MatchColumns(const parquet::SchemaDescriptor& schema,
                                      const std::vector<Field>& requested, bool case_sensitive,
                                      const std::string& path) {
  std::vector<int> leaves;
  leaves.reserve(requested.size());
  for (const auto& field : requested) {
    ARROW_ASSIGN_OR_RAISE(const Nodes matches,
                          Matches(*schema.group_node(), field.name, case_sensitive));
    if (matches.size() > 1) return AmbiguousColumnError(path, field.name, matches);
    if (matches.empty()) {
      if (!field.nullable) {
        return DataError(path, fmt::format("required column {} is missing in it", field.name));
      }
      leaves.push_back(-1);
      continue;
    }
    const auto& node = *matches.front();
    if (!node.is_primitive()) return ColumnTypeError(path, node.name(), field.type, "group");
    if (node.is_repeated()) return ColumnTypeError(path, node.name(), field.type, "repeated field");
    leaves.push_back(schema.ColumnIndex(node));
  }
  return leaves;
}

}  // namespace reprise
