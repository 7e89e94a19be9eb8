// Columns of files by their names.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace reprise {

/// Which of `names` are `name`; unless `case_sensitive`, without regard to case.
Result<std::vector<size_t>> PlacesOfName(const std::vector<std::string>& names,
                                         const std::string& name, bool case_sensitive);

}  // namespace reprise
