// The options of `reprise shrink`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "shrink/shrink.h"

namespace reprise {

/// What the command line asks for.
struct ShrinkCommand {
  std::string folder;
  ShrinkOptions shrink;
  std::vector<std::string> conf;  ///< key=value, as written
  bool json = false;
};

/// Declares every option; parsing fills `command`, which must outlive `app`.
void DeclareShrinkOptions(CLI::App& app, ShrinkCommand* command);

}  // namespace reprise
