// reprise replay --gdb: the same replay again, under gdb.
#pragma once

#include "base/status.h"

namespace reprise {

/// Becomes gdb, with this program and its arguments but --gdb, and a breakpoint where the operator
/// starts. Returns only where that fails: gdb is not installed.
Status BecomeGdb();

}  // namespace reprise
