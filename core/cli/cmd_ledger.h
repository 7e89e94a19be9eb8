#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kLedger;

}  // namespace reprise
