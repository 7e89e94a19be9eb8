#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kLineage;

}  // namespace reprise
