// reprise replay: runs one operator of a dump again and compares its output.
#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kReplay;

}  // namespace reprise
