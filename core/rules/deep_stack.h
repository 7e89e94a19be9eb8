// Runs a function on a stack that deep plans do not exhaust: a thread of the JVM may have one of 1
// MiB.
#pragma once

#include <cstdint>
#include <functional>

#include "base/status.h"

namespace reprise {

/// Runs `function`, which goes `nesting` levels deep: here, where this thread's stack has room for
/// that, else on a thread of its own with a stack of 64 MiB (address space, not memory). What it
/// throws is thrown here. Status::UnknownError where no thread can be made; then `function` has not
/// run.
Status RunOnStackFor(int64_t nesting, const std::function<void()>& function);

}  // namespace reprise
