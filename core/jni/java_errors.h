// Errors of the core as Java's exceptions.
#pragma once

#include <jni.h>

#include <exception>
#include <new>
#include <string>

#include "base/check.h"
#include "base/status.h"

namespace reprise {

/// Failing Statuses that become java.lang.IllegalArgumentException and IllegalStateException.
Status IllegalArgument(std::string message);
Status IllegalState(std::string message);

/// An error that is told to Java as this very object; `message` is for the core's own readers.
Status ThrownByJava(JNIEnv* env, jthrowable throwable, std::string message);

/// The same error as an IllegalArgumentException where its code is Invalid or NotImplemented and
/// Spark has no condition for it: what a user has set or asked for.
Status AsIllegalArgument(const Status& status);

/// Leaves a Java exception pending for the failing `status`: one of those above, its own,
/// CancellationException for Status::Cancelled, else NativeException. An exception that is pending
/// already is kept.
void ThrowToJava(JNIEnv* env, const Status& status);

/// Leaves a NativeException without condition pending, unless an exception is pending already.
void ThrowNativeException(JNIEnv* env, const std::string& message);

/// Every exported function runs inside this: `function` returns Result<T>. No C++ exception leaves;
/// errors become Java exceptions, and then `on_error` is returned.
template <typename T, typename Function>
T Guard(JNIEnv* env, T on_error, Function&& function) noexcept {
  try {
    Result<T> result = function();
    if (result.ok()) return *result;
    ThrowToJava(env, result.status());
  } catch (const CheckFailure& failure) {
    ThrowNativeException(env, std::string(failure.what()) + "; this is a bug of Reprise");
  } catch (const std::bad_alloc&) {
    ThrowNativeException(env, "out of native memory");
  } catch (const std::exception& error) {
    ThrowNativeException(
        env, std::string("unexpected exception: ") + error.what() + "; this is a bug of Reprise");
  } catch (...) {
    ThrowNativeException(env, "unexpected exception of unknown type; this is a bug of Reprise");
  }
  return on_error;
}

/// The same for functions without a result: `function` returns Status.
template <typename Function>
void GuardVoid(JNIEnv* env, Function&& function) noexcept {
  Guard(env, false, [&]() -> Result<bool> {
    RETURN_NOT_OK(function());
    return true;
  });
}

}  // namespace reprise
