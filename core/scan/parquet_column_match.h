// Finds the columns that a scan asks for in a file's schema.
#pragma once

#include <parquet/schema.h>

#include <memory>
#include <string>
#include <vector>

#include "plan/data_type.h"
#include "scan/parquet_nested_match.h"

namespace reprise {

/// A column in a file's schema.
struct ColumnMatch {
  /// The leaf columns that have it; none: the file lacks it. Where names need not differ in case
  /// only, the file may have several of exactly the same: Spark reads the first, but skips row
  /// groups by the statistics of the last.
  std::vector<int> leaves;
  int statistics = -1;                        ///< the leaf column whose statistics are its own
  std::shared_ptr<const NestedMatch> nested;  ///< of arrays, maps and structs
  bool is_row_number = false;                 ///< it is made, not read: see kRowNumberColumn

  bool is_missing() const { return leaves.empty() && !is_row_number; }
};

/// The column in which Spark has a scan number the rows of each file, from 0 on
/// (ParquetFileFormat.ROW_INDEX_TEMPORARY_COLUMN_NAME), unless the file has one of that name.
inline constexpr std::string_view kRowNumberColumn = "_tmp_metadata_row_index";

/// What of the file each of `requested` is.
///
/// As FindFields finds it. A column that is a flat one and nested or repeated in the file, or the
/// other way, or that is missing although it is not nullable, is an error, and so is a file without
/// field ids where matching.needs_field_ids. `path` is the file's, for errors, which are of the
/// condition FAILED_READ_FILE.NO_HINT.
Result<std::vector<ColumnMatch>> MatchColumns(const parquet::SchemaDescriptor& schema,
                                              const std::vector<Field>& requested,
                                              const ColumnMatching& matching,
                                              const std::string& path);

}  // namespace reprise
