// reprise flame: pages out of recordings.
#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kFlame;

}  // namespace reprise
