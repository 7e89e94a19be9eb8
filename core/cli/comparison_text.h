// What the comparison of two runs says in a terminal.
#pragma once

#include <string>

#include "report/comparison.h"

namespace reprise {

/// Queries that changed by a tenth and 100 ms, the slower ones first; settings that differ.
std::string ComparisonText(const RunComparison& comparison);

}  // namespace reprise
