// Which operators a user names by a path.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace reprise {

/// Whether the folder is a whole dump, and no operator's.
bool IsWholeDump(const std::string& path);

/// The folders of operators that `path` names: itself, or those within, by LORE id. Status::Invalid
/// where it is neither, or empty.
Result<std::vector<std::string>> OperatorFolders(const std::string& path);

}  // namespace reprise
