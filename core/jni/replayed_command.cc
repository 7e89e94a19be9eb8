#include "jni/replayed_command.h"

#include <algorithm>

#include "cli/cmd_replay.h"
#include "cli/replay_options.h"
#include "jni/java_errors.h"
#include "jni/java_text.h"
#include "jni/replayed_operator.h"
#include "replay/conf_overrides.h"
#include "replay/report_json.h"

namespace reprise {

namespace {

Result<std::vector<std::string>> TextsOf(JNIEnv* env, jobjectArray array) {
  std::vector<std::string> texts;
  const jsize count = array ? env->GetArrayLength(array) : 0;
  for (jsize i = 0; i < count; ++i) {
    auto text = static_cast<jstring>(env->GetObjectArrayElement(array, i));
    ARROW_ASSIGN_OR_RAISE(texts.emplace_back(), FromJava(env, text, "argument"));
    env->DeleteLocalRef(text);
  }
  return texts;
}

// The report for a program.
Result<int> Report(JNIEnv* env, const ReplayCommand& command, jobjectArray out) {
  ARROW_ASSIGN_OR_RAISE(const ReplayReport report, Replay(command.folder, command.replay));
  jstring text = ToJava(env, ToJson(report).dump(2));
  if (text == nullptr) return Status::OutOfMemory("the JVM has no memory for a report");
  env->SetObjectArrayElement(out, 0, text);
  return ExitOf(report.verdict());
}

}  // namespace

Result<jint> ReplayCommandLine(JNIEnv* env, jobjectArray arguments, jobject replayed,
                               jobjectArray report) {
  ARROW_ASSIGN_OR_RAISE(auto texts, TextsOf(env, arguments));
  CLI::App app("", "reprise replay");
  ReplayCommand command;
  DeclareReplayOptions(app, &command);
  try {
    std::reverse(texts.begin(), texts.end());  // as CLI11 wants them
    app.parse(texts);
  } catch (const CLI::ParseError& error) {
    return IllegalArgument(error.what());
  }
  ARROW_ASSIGN_OR_RAISE(command.replay.conf, ConfigMapFromPairs(command.conf));
  command.replay.make_operator = ReplayInJava(replayed, command.replay.attempt);
  const Result<int> status = report ? Report(env, command, report) : RunReplay(&command);
  if (!status.ok()) return IllegalArgument(status.status().message());
  fflush(stdout);
  return *status;
}

}  // namespace reprise
