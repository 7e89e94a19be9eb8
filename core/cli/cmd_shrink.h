// reprise shrink: few rows that go on to show what a dump shows.
#pragma once

#include "cli/shrink_options.h"
#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kShrink;

/// Shrinks as the command says, whose options are parsed, and prints what came of it.
Result<int> RunShrink(ShrinkCommand* command);

}  // namespace reprise
