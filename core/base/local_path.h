// Directories and files that users name in settings.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// "hdfs" of "hdfs://host/a"; empty where there is none.
std::string_view SchemeOf(std::string_view uri);

/// The local path of a file or folder given as Hadoop writes it: "file:/a/b", "file:///a/b" or
/// "/a/b"; without slashes at its end. Nothing is decoded, as in Hadoop's Path. Status::Invalid,
/// which begins with `what`, for another scheme, a host, or a relative path.
Result<std::string> LocalPath(std::string_view what, std::string_view uri);

/// The same of a path on any file system: of another scheme than file it is kept as it is, without
/// slashes at its end.
Result<std::string> AbsolutePath(std::string_view what, std::string_view uri);

/// Whether what AbsolutePath has given is a path of this machine.
inline bool IsLocalPath(std::string_view path) { return path.starts_with('/'); }

/// Status::Invalid, which names `option`, where a folder that is to be made is there and not empty.
Status CheckAbsentOrEmpty(const std::string& folder, std::string_view option);

}  // namespace reprise
