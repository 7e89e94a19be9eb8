#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kRdds;

}  // namespace reprise
