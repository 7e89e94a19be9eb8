// Finds the columns that a scan asks for in a file's schema.
#pragma once

#include <parquet/schema.h>

#include <string>
#include <vector>

#include "plan/data_type.h"

namespace reprise {

/// A leaf column of a file; -1: the file has none. Where names need not differ in case only, the
/// file may have several of exactly the same: Spark reads the first, but skips row groups by the
/// statistics of the last.
struct ColumnMatch {
  int values = -1;
  int statistics = -1;
};

/// The leaf column of the file for each of `requested`.
///
/// As Spark's ParquetReadSupport.clipParquetGroupFields: only top-level columns, by name; ignoring
/// case unless `case_sensitive`, and then an error if several match. A column that is nested or
/// repeated in the file, or that is missing although it is not nullable, is an error. `path` is the
/// file's, for errors, which are of the condition FAILED_READ_FILE.NO_HINT.
Result<std::vector<ColumnMatch>> MatchColumns(const parquet::SchemaDescriptor& schema,
                                              const std::vector<Field>& requested,
                                              bool case_sensitive, const std::string& path);

}  // namespace reprise
