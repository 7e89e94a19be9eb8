// The methods of reprise.bridge.NativeProfile, which is loaded only while profiles are taken.
#include <jni.h>
#include <sys/resource.h>
#include <unistd.h>

#include "jni/java_errors.h"
#include "jni/java_text.h"
#include "jni/thread_watch.h"
#include "profile/profile_request.h"
#include "profile/wall_clock.h"

namespace reprise {

namespace {

Result<jstring> RunRequest(JNIEnv* env, jstring request_json) {
  ARROW_ASSIGN_OR_RAISE(const std::string request, FromJava(env, request_json, "requestJson"));
  const Result<std::string> answer = RunProfileRequest(request);
  if (!answer.ok()) return AsIllegalArgument(answer.status());
  return ToJava(env, *answer);
}

}  // namespace
}  // namespace reprise

extern "C" JNIEXPORT jstring JNICALL Java_reprise_bridge_NativeProfile_run(JNIEnv* env, jclass,
                                                                           jstring request_json) {
  return reprise::Guard(env, jstring{}, [&] { return reprise::RunRequest(env, request_json); });
}

extern "C" JNIEXPORT jlong JNICALL Java_reprise_bridge_NativeProfile_thread(JNIEnv*, jclass) {
  return gettid();
}

extern "C" JNIEXPORT void JNICALL Java_reprise_bridge_NativeProfile_switchWatch(JNIEnv* env,
                                                                                jclass owner,
                                                                                jboolean on) {
  reprise::GuardVoid(env, [&] {
    if (on) return reprise::AsIllegalArgument(reprise::WatchThreads(env, owner));
    reprise::EndWatch();
    return reprise::Status::OK();
  });
}

extern "C" JNIEXPORT jstring JNICALL Java_reprise_bridge_NativeProfile_beginWallClock(
    JNIEnv* env, jclass, jlong interval_ns, jlong processor_ns) {
  return reprise::Guard(env, jstring{}, [&]() -> reprise::Result<jstring> {
    const reprise::Status begun = reprise::WallClock::OfProcess().Begin(
        interval_ns, processor_ns != 0, "libasyncProfiler.so");
    if (begun.ok()) return nullptr;
    return reprise::ToJava(env, begun.message());
  });
}

extern "C" JNIEXPORT void JNICALL
Java_reprise_bridge_NativeProfile_endingChunk(JNIEnv*, jclass, jboolean is_ending) {
  reprise::WallClock::OfProcess().SetEndingChunk(is_ending);
}

extern "C" JNIEXPORT void JNICALL Java_reprise_bridge_NativeProfile_endWallClock(JNIEnv*, jclass) {
  reprise::WallClock::OfProcess().End();
}

extern "C" JNIEXPORT void JNICALL Java_reprise_bridge_NativeProfile_sample(JNIEnv*, jclass,
                                                                           jlong thread,
                                                                           jboolean on) {
  reprise::WallClock& clock = reprise::WallClock::OfProcess();
  on ? clock.Add(static_cast<int32_t>(thread)) : clock.Remove(static_cast<int32_t>(thread));
}

// Of the calling thread alone: the kernel numbers threads as it does processes.
extern "C" JNIEXPORT void JNICALL Java_reprise_bridge_NativeProfile_yieldToOthers(JNIEnv*, jclass) {
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
}
