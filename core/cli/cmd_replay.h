// reprise replay: runs one operator of a dump again and compares its output.
#pragma once

#include "cli/replay_options.h"
#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kReplay;

/// The exit status that tells a verdict.
int ExitOf(ReplayVerdict verdict);

/// Replays natively, or by the operator that `command` makes, and prints the report.
Result<int> RunReplay(ReplayCommand* command);

}  // namespace reprise
