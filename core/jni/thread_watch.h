// Tells Java of each thread that begins and ends, on that thread, by the JVM's tool interface.
#pragma once

#include <jni.h>

#include "base/status.h"

namespace reprise {

/// From now on static methods of `owner` (a class that outlives the watch) are called on each of
/// the JVM's threads: `threadBegun(long thread)` before it does anything else, with the kernel's
/// number, and `threadEnding()` after all else. What they throw is dropped. One watch at a time.
/// Status::Invalid where the JVM has no tool interface.
Status WatchThreads(JNIEnv* env, jclass owner);

/// No more calls begin. May be called where there is no watch.
void EndWatch();

}  // namespace reprise
