#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kDebugTask;

}  // namespace reprise
