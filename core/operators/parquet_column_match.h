// Finds the columns that a scan asks for in a file's schema.
#pragma once

#include <parquet/schema.h>

#include <string>
#include <vector>

#include "plan/data_type.h"

namespace reprise {

/// The leaf column of the file for each of `requested`, or -1 where the file has none.
///
/// As Spark's ParquetReadSupport.clipParquetGroupFields: only top-level columns, by name; ignoring
/// case unless `case_sensitive`, and then an error if several match (_LEGACY_ERROR_TEMP_2093). A
/// column that is nested or repeated in the file, or that is missing although it is not nullable,
/// is an error. `path` is the file's, for errors.
Result<std::vector<int>> MatchColumns(const parquet::SchemaDescriptor& schema,
                                      const std::vector<Field>& requested, bool case_sensitive,
                                      const std::string& path);

}  // namespace reprise
