// The Java classes and methods that the library uses, looked up once when it is loaded.
#pragma once

#include <jni.h>

namespace reprise {

struct JavaClasses {
  JavaVM* vm = nullptr;
  jclass string = nullptr;
  jclass native_exception = nullptr;
  jmethodID new_native_exception =
      nullptr;  // (String message, String condition, String[] parameters)
  jclass illegal_argument = nullptr;
  jclass illegal_state = nullptr;
  jclass cancellation = nullptr;
  jclass row_source = nullptr;
  jclass block_source = nullptr;
  jclass batch_source = nullptr;
  jclass arrow_source = nullptr;
  jclass column_source = nullptr;
  jclass cache_source = nullptr;
  jclass guest_source = nullptr;
  jclass guest_group_source = nullptr;
  jclass piece_source = nullptr;
  jclass file_source = nullptr;
  jclass file_not_found = nullptr;
  jmethodID fill = nullptr;               // RowSource.fill
  jmethodID read_piece = nullptr;         // PieceSource.read
  jmethodID next_block = nullptr;         // BlockSource.next
  jmethodID next_batch = nullptr;         // BatchSource.next
  jmethodID next_columns = nullptr;       // ArrowSource.next
  jmethodID kept_batch = nullptr;         // ArrowSource.kept
  jmethodID next_column_rows = nullptr;   // ColumnSource.next
  jmethodID copy_fixed = nullptr;         // ColumnSource.copyFixed
  jmethodID copy_bytes = nullptr;         // ColumnSource.copyBytes
  jmethodID raise = nullptr;              // ColumnSource.raise
  jmethodID next_cached_rows = nullptr;   // CacheSource.next
  jmethodID cached_column = nullptr;      // CacheSource.column
  jmethodID raise_of_cache = nullptr;     // CacheSource.raise
  jmethodID begin_guests = nullptr;       // GuestSource.begin
  jmethodID guest_failures = nullptr;     // GuestSource.failures
  jmethodID clear_groups = nullptr;       // GuestGroupSource.clear
  jmethodID update_groups = nullptr;      // GuestGroupSource.update
  jmethodID merge_groups = nullptr;       // GuestGroupSource.merge
  jmethodID begin_groups = nullptr;       // GuestGroupSource.begin
  jmethodID open_file = nullptr;          // FileSource.open
  jmethodID await_open = nullptr;         // StoredFile.awaitOpen
  jmethodID start_pieces = nullptr;       // StoredFile.start
  jmethodID await_piece = nullptr;        // StoredFile.await
  jmethodID close_file = nullptr;         // StoredFile.close
  jmethodID open_replayed = nullptr;      // ReplayedOperator.open
  jmethodID open_dump = nullptr;          // ReplayedDumps.open
  jmethodID told = nullptr;               // ReplayedOperator.told
  jmethodID throwable_text = nullptr;     // Throwable.toString
  jmethodID is_cancelled = nullptr;       // TaskProbe.isCancelled
  jmethodID acquire = nullptr;            // TaskProbe.acquire
  jmethodID release = nullptr;            // TaskProbe.release
  jmethodID spill_directories = nullptr;  // TaskProbe.spillDirectories
  jmethodID spill_key = nullptr;          // TaskProbe.spillKey
  jmethodID to_proleptic = nullptr;       // TaskProbe.toProleptic
  jmethodID median_task_ms = nullptr;     // TaskProbe.medianTaskMs
};

/// Set by JNI_OnLoad, before any other function runs.
const JavaClasses& Java();

/// The environment of the current thread, which must be one of the JVM's; null on other threads.
JNIEnv* CurrentEnv();

/// A global reference, deleted when this object ends.
class GlobalRef {
 public:
  GlobalRef() = default;
  GlobalRef(JNIEnv* env, jobject object) : object_(object ? env->NewGlobalRef(object) : nullptr) {}
  ~GlobalRef() { reset(); }
  GlobalRef(GlobalRef&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  GlobalRef& operator=(GlobalRef&& other) noexcept;
  GlobalRef(const GlobalRef&) = delete;
  GlobalRef& operator=(const GlobalRef&) = delete;

  jobject get() const { return object_; }
  void reset();

 private:
  jobject object_ = nullptr;
};

/// Java's local references of one call: those made while it lives end with it.
class LocalFrame {
 public:
  explicit LocalFrame(JNIEnv* env) : env_(env) { env_->PushLocalFrame(kReferences); }
  ~LocalFrame() { env_->PopLocalFrame(nullptr); }
  LocalFrame(const LocalFrame&) = delete;
  LocalFrame& operator=(const LocalFrame&) = delete;

 private:
  static constexpr jint kReferences = 16;
  JNIEnv* env_;
};

}  // namespace reprise
