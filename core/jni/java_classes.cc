#include "jni/java_classes.h"

#include <utility>

#include "jni/hadoop_store.h"

namespace reprise {

namespace {

constexpr jint kJniVersion = JNI_VERSION_1_8;
JavaClasses java_classes;

jclass FindGlobal(JNIEnv* env, const char* name) {
  jclass local = env->FindClass(name);
  if (local == nullptr) return nullptr;
  auto global = static_cast<jclass>(env->NewGlobalRef(local));
  env->DeleteLocalRef(local);
  return global;
}

jmethodID FindMethod(JNIEnv* env, const char* class_name, const char* name, const char* signature) {
  jclass owner = env->FindClass(class_name);
  if (owner == nullptr) return nullptr;
  jmethodID method = env->GetMethodID(owner, name, signature);
  env->DeleteLocalRef(owner);
  return method;
}

/// What fragments read. False with a Java exception pending where something is missing.
bool FindSources(JNIEnv* env, JavaClasses* java) {
  constexpr const char* kArrowSource = "reprise/bridge/ArrowSource";
  constexpr const char* kColumnSource = "reprise/bridge/ColumnSource";
  constexpr const char* kCacheSource = "reprise/bridge/CacheSource";
  return (java->row_source = FindGlobal(env, "reprise/bridge/RowSource")) &&
         (java->block_source = FindGlobal(env, "reprise/bridge/BlockSource")) &&
         (java->batch_source = FindGlobal(env, "reprise/bridge/BatchSource")) &&
         (java->arrow_source = FindGlobal(env, kArrowSource)) &&
         (java->next_columns = FindMethod(env, kArrowSource, "next", "()[J")) &&
         (java->kept_batch = FindMethod(env, kArrowSource, "kept", "()J")) &&
         (java->column_source = FindGlobal(env, kColumnSource)) &&
         (java->next_column_rows = FindMethod(env, kColumnSource, "next", "()J")) &&
         (java->copy_fixed = FindMethod(env, kColumnSource, "copyFixed", "(IIIIJJ)J")) &&
         (java->copy_bytes = FindMethod(env, kColumnSource, "copyBytes", "(IIIJJJ)J")) &&
         (java->raise = FindMethod(env, kColumnSource, "raise", "()V")) &&
         (java->cache_source = FindGlobal(env, kCacheSource)) &&
         (java->next_cached_rows = FindMethod(env, kCacheSource, "next", "()J")) &&
         (java->cached_column = FindMethod(env, kCacheSource, "column", "(I)[B")) &&
         (java->raise_of_cache = FindMethod(env, kCacheSource, "raise", "()V")) &&
         (java->fill = FindMethod(env, "reprise/bridge/RowSource", "fill", "(JJJI)I")) &&
         (java->next_block = FindMethod(env, "reprise/bridge/BlockSource", "next", "()[B")) &&
         (java->next_batch = FindMethod(env, "reprise/bridge/BatchSource", "next", "()J"));
}

// False with a Java exception pending where something is missing.
bool FindAll(JNIEnv* env, JavaClasses* java) {
  constexpr const char* kNativeException = "reprise/bridge/NativeException";
  constexpr const char* kTaskProbe = "reprise/bridge/TaskProbe";
  constexpr const char* kGuestSource = "reprise/bridge/GuestSource";
  constexpr const char* kGuestGroups = "reprise/bridge/GuestGroupSource";
  constexpr const char* kStoredFile = "reprise/bridge/StoredFile";
  constexpr const char* kPieceSource = "reprise/bridge/PieceSource";
  return (java->string = FindGlobal(env, "java/lang/String")) &&
         (java->native_exception = FindGlobal(env, kNativeException)) &&
         (java->new_native_exception = FindMethod(
              env, kNativeException, "<init>",
              "(Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;Ljava/lang/String;)V")) &&
         (java->illegal_argument = FindGlobal(env, "java/lang/IllegalArgumentException")) &&
         (java->illegal_state = FindGlobal(env, "java/lang/IllegalStateException")) &&
         (java->cancellation = FindGlobal(env, "java/util/concurrent/CancellationException")) &&
         FindSources(env, java) && (java->guest_source = FindGlobal(env, kGuestSource)) &&
         (java->file_source = FindGlobal(env, "reprise/bridge/FileSource")) &&
         (java->piece_source = FindGlobal(env, kPieceSource)) &&
         (java->read_piece = FindMethod(env, kPieceSource, "read", "(IJJ)V")) &&
         (java->file_not_found = FindGlobal(env, "java/io/FileNotFoundException")) &&
         (java->open_file = FindMethod(env, "reprise/bridge/FileSource", "open",
                                       "(Ljava/lang/String;JIJJJ)Lreprise/bridge/StoredFile;")) &&
         (java->await_open = FindMethod(env, kStoredFile, "awaitOpen", "(I[J)Z")) &&
         (java->start_pieces = FindMethod(env, kStoredFile, "start", "([J[I[J)I")) &&
         (java->await_piece = FindMethod(env, kStoredFile, "await", "(II)Z")) &&
         (java->close_file = FindMethod(env, kStoredFile, "close", "()V")) &&
         (java->begin_guests = FindMethod(env, kGuestSource, "begin", "(JJI)V")) &&
         (java->guest_failures =
              FindMethod(env, kGuestSource, "failures", "()[Ljava/lang/Throwable;")) &&
         (java->guest_group_source = FindGlobal(env, kGuestGroups)) &&
         (java->clear_groups = FindMethod(env, kGuestGroups, "clear", "()V")) &&
         (java->update_groups = FindMethod(env, kGuestGroups, "update", "(JJJI)V")) &&
         (java->merge_groups = FindMethod(env, kGuestGroups, "merge", "(JJJI)V")) &&
         (java->begin_groups = FindMethod(env, kGuestGroups, "begin", "(IIZ)V")) &&
         (java->open_replayed = FindMethod(env, "reprise/bridge/ReplayedOperator", "open",
                                           "(IJ)Lreprise/bridge/RowSource;")) &&
         (java->open_dump = FindMethod(env, "reprise/bridge/ReplayedDumps", "open",
                                       "(Ljava/lang/String;)Lreprise/bridge/ReplayedOperator;")) &&
         (java->told = FindMethod(env, "reprise/bridge/ReplayedOperator", "told",
                                  "(Ljava/lang/Throwable;)Ljava/lang/String;")) &&
         (java->throwable_text =
              FindMethod(env, "java/lang/Throwable", "toString", "()Ljava/lang/String;")) &&
         (java->is_cancelled = FindMethod(env, kTaskProbe, "isCancelled", "()Z")) &&
         (java->acquire = FindMethod(env, kTaskProbe, "acquire", "(J)J")) &&
         (java->release = FindMethod(env, kTaskProbe, "release", "(J)V")) &&
         (java->spill_directories =
              FindMethod(env, kTaskProbe, "spillDirectories", "()[Ljava/lang/String;")) &&
         (java->spill_key = FindMethod(env, kTaskProbe, "spillKey", "()[B")) &&
         (java->to_proleptic =
              FindMethod(env, kTaskProbe, "toProleptic", "(Ljava/lang/String;[J)V")) &&
         (java->median_task_ms = FindMethod(env, kTaskProbe, "medianTaskMs", "()J"));
}

}  // namespace

const JavaClasses& Java() { return java_classes; }

JNIEnv* CurrentEnv() {
  void* env = nullptr;
  if (java_classes.vm == nullptr || java_classes.vm->GetEnv(&env, kJniVersion) != JNI_OK) {
    return nullptr;
  }
  return static_cast<JNIEnv*>(env);
}

GlobalRef& GlobalRef::operator=(GlobalRef&& other) noexcept {
  if (this != &other) {
    reset();
    object_ = std::exchange(other.object_, nullptr);
  }
  return *this;
}

void GlobalRef::reset() {
  jobject object = std::exchange(object_, nullptr);
  if (object == nullptr) return;
  // On a thread that is not the JVM's, as when the process ends, the reference dies with the JVM.
  if (JNIEnv* env = CurrentEnv()) env->DeleteGlobalRef(object);
}

}  // namespace reprise

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  void* env = nullptr;
  if (vm->GetEnv(&env, reprise::kJniVersion) != JNI_OK) return JNI_ERR;
  reprise::java_classes.vm = vm;
  auto* const jni = static_cast<JNIEnv*>(env);
  if (!reprise::FindAll(jni, &reprise::java_classes) || !reprise::UseHadoopStores(jni)) {
    return JNI_ERR;
  }
  return reprise::kJniVersion;
}
