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
  bool gdb = false;
  bool digests = false;
  bool json = false;
  bool brief = false;  ///< a line alone: what `reprise replay DUMP` has of each operator
};

/// Declares every option; parsing fills `command`, which must outlive `app`.
void DeclareReplayOptions(CLI::App& app, ReplayCommand* command);

}  // namespace reprise
