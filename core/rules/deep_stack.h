// Runs a function on a stack that deep plans do not exhaust: a thread of the JVM may have one of 1
// MiB.
#pragma once

#include <functional>

#include "base/status.h"

namespace reprise {

/// Runs `function` on a thread of its own with a stack of 64 MiB (address space, not memory) and
/// waits for it. What it throws is thrown here. Status::UnknownError where no thread can be made;
/// then `function` has not run.
Status RunOnDeepStack(const std::function<void()>& function);

}  // namespace reprise
