// Errors of reading files, whatever their format.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// FAILED_READ_FILE.FILE_NOT_EXIST.
Status MissingFileError(const std::string& path);

/// FAILED_READ_FILE.NO_HINT: the data of the file is not as its format has it.
Status DataError(const std::string& path, std::string_view why);

/// FAILED_READ_FILE.NO_HINT: the file system has not given `what` of the file; `why` is what it
/// says.
Status StoreError(const std::string& location, std::string_view what, std::string_view why);

/// Whether the Status is an error of the file at hand that is still to be named, and not about
/// memory, the task, or something that has Spark's own error already.
bool IsAboutFile(const Status& status);

}  // namespace reprise
