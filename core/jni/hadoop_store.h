// Hadoop's file systems as places for dumps.
#pragma once

#include <jni.h>

namespace reprise {

/// Looks up reprise.bridge.HadoopFiles and makes the core open dump paths of every scheme but file
/// by it. False with a Java exception pending where it is missing.
bool UseHadoopStores(JNIEnv* env);

}  // namespace reprise
