#include "scan/parquet_errors.h"

#include <fmt/format.h>

namespace reprise {

Status MissingFileError(const std::string& path) {
  return SparkError(
      "FAILED_READ_FILE.FILE_NOT_EXIST", {{"path", path}},
      fmt::format("file {} does not exist; it was removed or replaced after the query was "
                  "planned: run REFRESH TABLE, or read the folder again",
                  path));
}

Status FooterError(const std::string& path, std::string_view why) {
  return SparkError(
      "FAILED_READ_FILE.NO_HINT", {{"path", path}},
      fmt::format("cannot read the footer of {}: {}; the file is not Parquet, or it is cut or "
                  "corrupt: write it again, or move it out of the table's folder",
                  path, why));
}

Status DataError(const std::string& path, std::string_view why) {
  return SparkError("FAILED_READ_FILE.NO_HINT", {{"path", path}},
                    fmt::format("cannot read {}: {}; the file is cut or corrupt: write it again, "
                                "or move it out of the table's folder",
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

Status StoreError(const std::string& location, std::string_view what, std::string_view why) {
  return SparkError(
      "FAILED_READ_FILE.NO_HINT", {{"path", location}},
      fmt::format("cannot read {} of {}: its file system says: {}", what, location, why));
}

bool IsAboutFile(const Status& status) {
  return !status.ok() && !status.IsOutOfMemory() && !status.IsCancelled() &&
         SparkErrorOf(status) == nullptr;
}

}  // namespace reprise
