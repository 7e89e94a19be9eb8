// Where files lie.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// Whether `location` is a path or a `file:` URI.
bool IsLocal(std::string_view location);

/// The file system path of `location`: a plain path is taken as it is; a `file:` URI, as Spark's
/// PartitionedFile has it, is percent-decoded. Other schemes are Status::NotImplemented: they are
/// read by Spark's file systems.
Result<std::string> LocalPath(std::string_view location);

}  // namespace reprise
