#include "scan/file_errors.h"

#include <fmt/format.h>

namespace reprise {

Status MissingFileError(const std::string& path) {
  return SparkError(
      "FAILED_READ_FILE.FILE_NOT_EXIST", {{"path", path}},
      fmt::format("file {} does not exist; it was removed or replaced after the query was "
                  "planned: run REFRESH TABLE, or read the folder again",
                  path));
}

Status DataError(const std::string& path, std::string_view why) {
  return SparkError("FAILED_READ_FILE.NO_HINT", {{"path", path}},
                    fmt::format("cannot read {}: {}; the file is cut or corrupt: write it again, "
                                "or move it out of the table's folder",
                                path, why));
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
