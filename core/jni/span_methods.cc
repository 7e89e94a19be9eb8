// The methods of reprise.bridge.Native by which an application's events become spans.
#include <jni.h>

#include "jni/java_errors.h"
#include "jni/java_text.h"
#include "task/handle_table.h"
#include "telemetry/application_spans.h"

namespace reprise {

namespace {

HandleTable<ApplicationSpans>& OpenSpans() {
  // Never destroyed: listeners of a JVM that exits may still be told of events.
  static auto* table = new HandleTable<ApplicationSpans>();
  return *table;
}

Result<std::shared_ptr<ApplicationSpans>> SpansOf(jlong handle) {
  std::shared_ptr<ApplicationSpans> spans = OpenSpans().Find(handle);
  if (spans == nullptr) return IllegalState(fmt::format("there are no spans {}", handle));
  return spans;
}

Result<jlong> Open(JNIEnv* env, jstring traceparent, jstring service) {
  ARROW_ASSIGN_OR_RAISE(const std::string within, FromJava(env, traceparent, "traceparent"));
  ARROW_ASSIGN_OR_RAISE(const std::string name, FromJava(env, service, "service"));
  return OpenSpans().Add(std::make_shared<ApplicationSpans>(TraceContext::Of(within), name));
}

Result<bool> AddSpanEvent(JNIEnv* env, jlong handle, jstring event) {
  ARROW_ASSIGN_OR_RAISE(const auto spans, SpansOf(handle));
  ARROW_ASSIGN_OR_RAISE(const std::string text, FromJava(env, event, "event"));
  RETURN_NOT_OK(AsIllegalArgument(spans->Add(text)));
  return true;
}

}  // namespace
}  // namespace reprise

extern "C" JNIEXPORT jlong JNICALL Java_reprise_bridge_Native_openSpans(JNIEnv* env, jclass,
                                                                        jstring traceparent,
                                                                        jstring service) {
  return reprise::Guard<jlong>(env, 0, [&] { return reprise::Open(env, traceparent, service); });
}

extern "C" JNIEXPORT void JNICALL Java_reprise_bridge_Native_addSpanEvent(JNIEnv* env, jclass,
                                                                          jlong spans,
                                                                          jstring event) {
  reprise::Guard(env, false, [&] { return reprise::AddSpanEvent(env, spans, event); });
}

extern "C" JNIEXPORT jbyteArray JNICALL Java_reprise_bridge_Native_takeSpans(JNIEnv* env, jclass,
                                                                             jlong spans) {
  return reprise::Guard<jbyteArray>(env, nullptr, [&]() -> reprise::Result<jbyteArray> {
    ARROW_ASSIGN_OR_RAISE(const auto found, reprise::SpansOf(spans));
    return reprise::BytesToJava(env, found->Take(), "the spans");
  });
}

extern "C" JNIEXPORT void JNICALL Java_reprise_bridge_Native_closeSpans(JNIEnv* env, jclass,
                                                                        jlong spans) {
  reprise::Guard(env, false, [&]() -> reprise::Result<bool> {
    reprise::OpenSpans().Take(spans);
    return true;
  });
}
