// The options of `reprise replay`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "replay/replay.h"

namespace reprise {

/// What the command line asks for.
struct ReplayCommand {
  std::string folder;
  ReplayOptions replay;
  std::vector<std::string> conf;  ///< key=value, as written
  std::string memory;             ///< of the task: "64m"; empty: no limit
  bool least_memory = false;      ///< find the least that will do
  bool gdb = false;
  bool digests = false;
  bool json = false;
  bool failed = false;  ///< the attempts that failed, instead of what was committed
  bool brief = false;   ///< a line alone: what `reprise replay DUMP` has of each operator
};

/// Declares every option; parsing fills `command`, which must outlive `app`.
void DeclareReplayOptions(CLI::App& app, ReplayCommand* command);

/// The settings of a command, --memory among them. Status::Invalid for what is no KEY=VALUE.
Result<ConfigMap> ConfOf(const ReplayCommand& command);

}  // namespace reprise
