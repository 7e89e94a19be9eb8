// Which columns the native scan reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config.h"
#include "plan/plan.h"

namespace reprise {

/// Why a Parquet column of the files cannot be read natively; empty: it can.
std::vector<std::string> ReasonsAgainstColumn(const StructField& field, const Config& config);

}  // namespace reprise
