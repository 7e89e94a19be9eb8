// Calls from a running fragment up into Java.
#pragma once

#include <jni.h>

#include <functional>
#include <memory>

#include "jni/java_classes.h"
#include "task/task_source.h"

namespace reprise {

/// Keeps the Throwable that an upcall has ended with on its way through the core, whose errors are
/// Statuses, to the method of Native that the fragment was called with.
class StoredThrowable {
 public:
  /// Takes over the exception that is pending in `env`. The first one is kept: later ones follow
  /// from it.
  void TakePending(JNIEnv* env);
  bool empty() const { return throwable_.get() == nullptr; }
  /// Throws it again, the same object, and forgets it.
  void Rethrow(JNIEnv* env);

 private:
  GlobalRef throwable_;
};

/// A RowSource over a reprise.bridge.RowSource. A Throwable of it goes to `stored`, which must
/// outlive the source, and is a Status::ExecutionError.
std::unique_ptr<RowSource> MakeJavaRowSource(JNIEnv* env, jobject source, StoredThrowable* stored);

/// A PieceSource over a reprise.bridge.PieceSource; Throwables as above.
std::unique_ptr<PieceSource> MakeJavaPieceSource(JNIEnv* env, jobject source,
                                                 StoredThrowable* stored);

/// A BlockSource over a reprise.bridge.BlockSource; Throwables as above.
std::unique_ptr<BlockSource> MakeJavaBlockSource(JNIEnv* env, jobject source,
                                                 StoredThrowable* stored);

/// A BatchSource over a reprise.bridge.BatchSource; Throwables as above. `take` gives the batch of
/// a handle, which is then gone.
std::unique_ptr<BatchSource> MakeJavaBatchSource(JNIEnv* env, jobject source,
                                                 std::function<Result<Batch>(int64_t)> take,
                                                 StoredThrowable* stored);

/// An ArrowSource over a reprise.bridge.ArrowSource; Throwables and `take` as above.
std::unique_ptr<ArrowSource> MakeJavaArrowSource(JNIEnv* env, jobject source,
                                                 std::function<Result<Batch>(int64_t)> take,
                                                 StoredThrowable* stored);

/// A ColumnSource over a reprise.bridge.ColumnSource; Throwables as above.
std::unique_ptr<ColumnSource> MakeJavaColumnSource(JNIEnv* env, jobject source,
                                                   StoredThrowable* stored);

/// A CacheSource over a reprise.bridge.CacheSource; Throwables as above.
std::unique_ptr<CacheSource> MakeJavaCacheSource(JNIEnv* env, jobject source,
                                                 StoredThrowable* stored);

/// GuestRows over a reprise.bridge.GuestSource. What a row has thrown is that row's error
/// (ThrownByJava); other Throwables as above.
std::unique_ptr<GuestRows> MakeJavaGuestRows(JNIEnv* env, jobject source, StoredThrowable* stored);

/// GuestGroups over a reprise.bridge.GuestGroupSource. Throwables as above.
std::unique_ptr<GuestGroups> MakeJavaGuestGroups(JNIEnv* env, jobject source,
                                                 StoredThrowable* stored);

/// What a reprise.bridge.TaskProbe does for a task; nothing where `probe` is null. Throwables go to
/// `stored`, which must outlive what is returned. One of isCancelled counts as cancelled, one of
/// acquire as nothing granted, one of medianTaskMs as nothing known. Status::ExecutionError where
/// the directories could not be had.
Result<TaskServices> MakeJavaServices(JNIEnv* env, jobject probe, StoredThrowable* stored);

}  // namespace reprise
