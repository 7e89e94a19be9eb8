#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kTop;

}  // namespace reprise
