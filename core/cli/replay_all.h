// reprise replay DUMP: every operator of a dump, a line each.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/replay_options.h"

namespace reprise {

/// Whether the folder of `command` is a whole dump, and no operator's.
bool IsWholeDump(const ReplayCommand& command);

/// Replays all operators of the dump natively and prints what came of each; those that only Spark
/// runs are named. The exit status is the worst of all. Status::Invalid for options of `app` that
/// concern one operator alone, and, after the lines, where some operator cannot be replayed at all.
Result<int> ReplayAll(const ReplayCommand& command, const CLI::App& app);

}  // namespace reprise
