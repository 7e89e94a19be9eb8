// The fragments that the JVM has handles of.
#pragma once

#include <jni.h>

#include <memory>

namespace reprise {

class FragmentTask;

/// Keeps a task under a new handle, until `Native.close`.
jlong KeepFragment(std::unique_ptr<FragmentTask> task);

}  // namespace reprise
