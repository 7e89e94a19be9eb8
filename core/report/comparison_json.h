// A comparison of two runs as JSON: for programs, and for the page.
#pragma once

#include <nlohmann/json.hpp>

#include "report/comparison.h"

namespace reprise {

/// Queries, operators and stages by number; times in ms.
nlohmann::json ToJson(const RunComparison& comparison);

}  // namespace reprise
