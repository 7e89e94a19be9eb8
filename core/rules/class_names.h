// Lists of class names, as rules and passes keep them.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace reprise {

/// Spark's file formats; a class derived from one is another one.
inline constexpr std::string_view kCsvFormat =
    "org.apache.spark.sql.execution.datasources.csv.CSVFileFormat";
inline constexpr std::string_view kJsonFormat =
    "org.apache.spark.sql.execution.datasources.json.JsonFileFormat";
inline constexpr std::string_view kOrcFormat =
    "org.apache.spark.sql.execution.datasources.orc.OrcFileFormat";
inline constexpr std::string_view kTextFormat =
    "org.apache.spark.sql.execution.datasources.text.TextFileFormat";
inline constexpr std::string_view kParquetFormat =
    "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat";

/// Whether `names` has `name`.
template <size_t kCount>
bool Has(const std::string_view (&names)[kCount], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

}  // namespace reprise
