// Texts and bytes from and to Java.
#pragma once

#include <jni.h>

#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// The string in UTF-8. A null reference is Status::Invalid that says that `what` is null.
Result<std::string> FromJava(JNIEnv* env, jstring text, std::string_view what);

/// The bytes of the array. A null reference is Status::Invalid that says that `what` is null.
Result<std::string> FromJava(JNIEnv* env, jbyteArray bytes, std::string_view what);

/// A new local reference; null with a Java exception pending where the JVM has no memory for it.
jstring ToJava(JNIEnv* env, std::string_view text);

/// A new local reference to an array of the bytes. Errors, which name `what`: Status::CapacityError
/// for more than an array holds; Status::OutOfMemory where the JVM has no memory for them.
Result<jbyteArray> BytesToJava(JNIEnv* env, std::string_view bytes, std::string_view what);

}  // namespace reprise
