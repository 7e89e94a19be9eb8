#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kTasks;

}  // namespace reprise
