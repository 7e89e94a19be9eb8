// The commands `reprise replay` and `reprise shrink` in a JVM, which runs their operators.
#pragma once

#include <jni.h>

#include "base/status.h"

namespace reprise {

/// Runs the command with the arguments of a String[]. `report`: null, or a String[] whose first
/// element receives the report as JSON, which is then not printed. Returns the exit status; what is
/// wrong with the arguments or the dump becomes an IllegalArgumentException.
Result<jint> ReplayCommandLine(JNIEnv* env, jobjectArray arguments, jobject replayed,
                               jobjectArray report);

/// The same of `reprise shrink`; `dumps`, a reprise.bridge.ReplayedDumps, opens what it tries.
Result<jint> ShrinkCommandLine(JNIEnv* env, jobjectArray arguments, jobject dumps);

}  // namespace reprise
