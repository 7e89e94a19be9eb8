// The report of a replay for programs.
#pragma once

#include <nlohmann/json.hpp>

#include "replay/replay.h"

namespace reprise {

/// {"operator":SPEC,"partitions":[{"partition":0,"attempt":…,"inputRows":…,"output":DIGEST,
///  "runs":[{"ownTimeNs":…,"wallTimeNs":…}],"verdict":…,"error":…|null,"holds":bool}…],
///  "verdict":"equal"|"different"|"not compared","holds":bool}: whether it is equal;
/// and what more was asked for: "compared", "assertion", "counters".
nlohmann::json ToJson(const ReplayReport& report);

}  // namespace reprise
