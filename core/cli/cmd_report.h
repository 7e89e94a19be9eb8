#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kReport;

}  // namespace reprise
