#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kExplain;

}  // namespace reprise
