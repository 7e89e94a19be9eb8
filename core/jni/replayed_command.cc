#include "jni/replayed_command.h"

#include <algorithm>

#include "cli/cmd_replay.h"
#include "cli/cmd_shrink.h"
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

// `app` declares the command's options.
Status Parse(JNIEnv* env, jobjectArray arguments, CLI::App* app) {
  ARROW_ASSIGN_OR_RAISE(auto texts, TextsOf(env, arguments));
  try {
    std::reverse(texts.begin(), texts.end());  // as CLI11 wants them
    app->parse(texts);
  } catch (const CLI::ParseError& error) {
    return IllegalArgument(error.what());
  }
  return Status::OK();
}

// The command's exit status, after all that it has printed.
Result<jint> Ended(const Result<int>& status) {
  if (!status.ok()) return IllegalArgument(status.status().message());
  fflush(stdout);
  return *status;
}

}  // namespace

Result<jint> ReplayCommandLine(JNIEnv* env, jobjectArray arguments, jobject replayed,
                               jobjectArray report) {
  CLI::App app("", "reprise replay");
  ReplayCommand command;
  DeclareReplayOptions(app, &command);
  RETURN_NOT_OK(Parse(env, arguments, &app));
  ARROW_ASSIGN_OR_RAISE(command.replay.conf, ConfOf(command));
  command.replay.make_operator = ReplayInJava(replayed, command.replay.attempt);
  return Ended(report ? Report(env, command, report) : RunReplay(&command));
}

Result<jint> ShrinkCommandLine(JNIEnv* env, jobjectArray arguments, jobject dumps) {
  CLI::App app("", "reprise shrink");
  ShrinkCommand command;
  DeclareShrinkOptions(app, &command);
  RETURN_NOT_OK(Parse(env, arguments, &app));
  ConditionOptions& condition = command.shrink.condition;
  condition.on_spark = [dumps](const std::string& folder) { return OpenInJava(dumps, folder); };
  condition.runs_on_spark = !condition.differs;
  return Ended(RunShrink(&command));
}

}  // namespace reprise
