#include "jni/thread_watch.h"

#include <jvmti.h>
#include <unistd.h>

#include <atomic>

#include "jni/java_classes.h"

namespace reprise {

namespace {

// Kept for the life of the process: a callback may be under way when a watch ends.
jvmtiEnv* tools = nullptr;
jclass owner_class = nullptr;
jmethodID begun = nullptr;
jmethodID ending = nullptr;
std::atomic<bool> is_watching = false;

void JNICALL OnStart(jvmtiEnv*, JNIEnv* env, jthread) {
  if (!is_watching) return;
  env->CallStaticVoidMethod(owner_class, begun, static_cast<jlong>(gettid()));
  env->ExceptionClear();
}

void JNICALL OnEnd(jvmtiEnv*, JNIEnv* env, jthread) {
  if (!is_watching) return;
  env->CallStaticVoidMethod(owner_class, ending);
  env->ExceptionClear();
}

// The interface with its callbacks, all switched off.
Status MakeTools() {
  if (tools != nullptr) return Status::OK();
  void* made = nullptr;
  if (Java().vm->GetEnv(&made, JVMTI_VERSION_1_2) != JNI_OK) {
    return Status::Invalid("the JVM has no tool interface (JVMTI)");
  }
  auto* const interface = static_cast<jvmtiEnv*>(made);
  jvmtiEventCallbacks callbacks{};
  callbacks.ThreadStart = OnStart;
  callbacks.ThreadEnd = OnEnd;
  if (const auto error = interface->SetEventCallbacks(&callbacks, sizeof callbacks)) {
    return Status::Invalid("the JVM's tool interface refuses callbacks: error ", int{error});
  }
  tools = interface;
  return Status::OK();
}

Status Switch(jvmtiEventMode mode) {
  for (const jvmtiEvent event : {JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END}) {
    if (const auto error = tools->SetEventNotificationMode(mode, event, nullptr)) {
      return Status::Invalid("the JVM does not tell of its threads: error ", int{error});
    }
  }
  return Status::OK();
}

}  // namespace

Status WatchThreads(JNIEnv* env, jclass owner) {
  RETURN_NOT_OK(MakeTools());
  if (owner_class == nullptr) {
    owner_class = static_cast<jclass>(env->NewGlobalRef(owner));
    begun = env->GetStaticMethodID(owner, "threadBegun", "(J)V");
    ending = env->GetStaticMethodID(owner, "threadEnding", "()V");
    if (begun == nullptr || ending == nullptr) {
      return Status::Invalid("the class lacks threadBegun or threadEnding");
    }
  }
  is_watching = true;
  return Switch(JVMTI_ENABLE);
}

void EndWatch() {
  if (!is_watching.exchange(false)) return;
  static_cast<void>(Switch(JVMTI_DISABLE));
}

}  // namespace reprise
