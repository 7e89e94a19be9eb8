// The methods of reprise.bridge.Native that the driver calls. What is invalid or not implemented
// here comes from a user's settings or from a plug-in of another version: IllegalArgumentException.
#include <jni.h>

#include <nlohmann/json.hpp>

#include "base/plugin_settings.h"
#include "base/spark_settings.h"
#include "dump/begin.h"
#include "jni/java_errors.h"
#include "jni/java_text.h"
#include "rules/planner.h"
#include "sql/sql_predicate.h"

namespace reprise {

namespace {

Result<jstring> TextOrNull(JNIEnv* env, const Result<std::string>& text) {
  if (!text.ok()) return AsIllegalArgument(text.status());
  return ToJava(env, *text);
}

using SettingsOf = Result<std::string> (*)(std::string_view conf_json);

jstring Answer(JNIEnv* env, jstring conf_json, SettingsOf settings_of) {
  return Guard(env, jstring{}, [&]() -> Result<jstring> {
    ARROW_ASSIGN_OR_RAISE(const std::string conf, FromJava(env, conf_json, "confJson"));
    return TextOrNull(env, settings_of(conf));
  });
}

Result<jstring> PlanOf(JNIEnv* env, jbyteArray plan_json, jstring request_json) {
  ARROW_ASSIGN_OR_RAISE(const std::string plan, FromJava(env, plan_json, "planJson"));
  ARROW_ASSIGN_OR_RAISE(const std::string request, FromJava(env, request_json, "requestJson"));
  return TextOrNull(env, Plan(plan, request, ParseSqlPredicate));
}

Status BeginDumpOf(JNIEnv* env, jstring request_json) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, FromJava(env, request_json, "requestJson"));
  const auto request = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (request.is_discarded()) return IllegalArgument("requestJson is malformed JSON");
  return AsIllegalArgument(BeginDump(request));
}

}  // namespace
}  // namespace reprise

#define REPRISE_NATIVE(type, name) \
  extern "C" JNIEXPORT type JNICALL Java_reprise_bridge_Native_##name

REPRISE_NATIVE(jstring, applicationSettings)(JNIEnv* env, jclass, jstring conf_json) {
  return reprise::Answer(env, conf_json, reprise::ApplicationSettings);
}

REPRISE_NATIVE(jstring, switches)(JNIEnv* env, jclass, jstring conf_json) {
  return reprise::Answer(env, conf_json, reprise::SwitchSettings);
}

REPRISE_NATIVE(jstring, taskSettings)(JNIEnv* env, jclass, jstring conf_json) {
  return reprise::Answer(env, conf_json, reprise::FragmentSettings);
}

REPRISE_NATIVE(jstring, plan)(JNIEnv* env, jclass, jbyteArray plan_json, jstring request_json) {
  return reprise::Guard(env, jstring{},
                        [&] { return reprise::PlanOf(env, plan_json, request_json); });
}

REPRISE_NATIVE(void, beginDump)(JNIEnv* env, jclass, jstring request_json) {
  reprise::GuardVoid(env, [&] { return reprise::BeginDumpOf(env, request_json); });
}

REPRISE_NATIVE(void, endDumps)(JNIEnv* env, jclass, jstring query) {
  reprise::GuardVoid(env, [&]() -> reprise::Status {
    ARROW_ASSIGN_OR_RAISE(const std::string token, reprise::FromJava(env, query, "query"));
    return reprise::EndDumps(token);
  });
}

REPRISE_NATIVE(jstring, sparkSettings)(JNIEnv* env, jclass) {
  return reprise::Guard(env, jstring{}, [&]() -> reprise::Result<jstring> {
    return reprise::ToJava(env, reprise::SparkSettingsJson());
  });
}
