// reprise replay DUMP: every operator of a dump, a line each.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/replay_options.h"
#include "cli/spark_engine.h"

namespace reprise {

/// Replays all operators of the dump natively, and those that only Spark runs in one JVM unless
/// `engine` says otherwise, and prints what came of each, a line an operator. The exit status is
/// the worst of all. Status::Invalid for options of `app` that concern one operator alone.
Result<int> ReplayAll(const ReplayCommand& command, const SparkEngine& engine, const CLI::App& app);

/// The line of one operator.
std::string BriefText(const ReplayReport& report);

}  // namespace reprise
