#include "scan/parquet_errors.h"

#include <fmt/format.h>

namespace reprise {

Status FooterError(const std::string& path, std::string_view why) {
  return SparkError(
      "FAILED_READ_FILE.NO_HINT", {{"path", path}},
      fmt::format("cannot read the footer of {}: {}; the file is not Parquet, or it is cut or "
                  "corrupt: write it again, or move it out of the table's folder",
                  path, why));
}

Status ColumnTypeError(const std::string& path, const std::string& column, const DataType& expected,
                       const std::string& actual) {
  return SparkError(
      "FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH",
      {{"path", path},
       {"column", fmt::format("[{}]", column)},
       {"expectedType", expected.ToString()},
       {"actualType", actual}},
      fmt::format("cannot read {}: column {} is asked for as {}, but the file has {}, which cannot "
                  "be read so: correct the table's schema, or rewrite the file",
                  path, column, expected.ToString(), actual));
}

}  // namespace reprise
