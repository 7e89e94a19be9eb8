// The report of a replay for programs.
#pragma once

#include "replay/replay.h"

namespace reprise {

/// Prints the report on stdout as one JSON object.
void PrintReplayJson(const ReplayReport& report);

}  // namespace reprise
