// reprise pack and reprise unpack: a dump as one file.
#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kPack;
extern const Subcommand kUnpack;

}  // namespace reprise
