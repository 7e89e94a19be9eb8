// reprise show: what a dump holds.
#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kShow;

}  // namespace reprise
