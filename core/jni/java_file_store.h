// Files that the plug-in reads for the core.
#pragma once

#include <jni.h>

#include <memory>

#include "scan/file_store.h"

namespace reprise {

/// A FileStore over a reprise.bridge.FileSource. What it throws is Status::IOError with the
/// Throwable's text, or the error of a file that is missing.
std::unique_ptr<FileStore> MakeJavaFileStore(JNIEnv* env, jobject source);

}  // namespace reprise
