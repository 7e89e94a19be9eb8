#include "cli/spark_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/subcommand.h"
#include "dump/reader.h"

namespace reprise {

namespace {

constexpr const char* kGroup = "On Spark";
// They look into native code.
constexpr const char* kNativeOnly[] = {"--gdb", "--profile", "--perf-stat", "--memory",
                                       "--least-memory"};

// The options as they were given, without those that are this program's.
std::vector<std::string> PassedOn(const CLI::App& app) {
  std::vector<std::string> arguments;
  for (const CLI::Option* option : app.get_options()) {
    const bool is_own =
        option->get_group() == kGroup || option->get_positional() || option->get_lnames().empty();
    if (is_own || option->count() == 0) continue;
    const std::string name = "--" + option->get_lnames()[0];
    if (option->get_expected_max() == 0) {
      arguments.push_back(name);
      continue;
    }
    for (const std::string& value : option->results()) {
      arguments.insert(arguments.end(), {name, value});
    }
  }
  return arguments;
}

}  // namespace

void DeclareSparkPlace(CLI::App& app, SparkEngine* engine) {
  app.add_option("--spark-home", engine->spark_home,
                 "folder of Spark (default: SPARK_HOME, or an installed pyspark)")
      ->group(kGroup);
  app.add_option("--jars", engine->jars, "jars that functions of the user's need, with commas")
      ->delimiter(',')
      ->group(kGroup);
}

void DeclareSparkOptions(CLI::App& app, SparkEngine* engine) {
  app.add_option("--engine", engine->name,
                 "what runs the operator: native, or spark, in a JVM (default: spark for the "
                 "operators that only Spark runs)")
      ->check(CLI::IsMember({"native", "spark"}))
      ->group(kGroup);
  DeclareSparkPlace(app, engine);
  app.add_option("--jdwp", engine->jdwp_port, "wait at this port for a Java debugger")
      ->check(CLI::Range(1, 65535))
      ->group(kGroup);
}

Result<bool> RunsOnSpark(const SparkEngine& engine, const std::string& folder) {
  if (!engine.name.empty()) return engine.name == "spark";
  // A folder that can't be read is the replay's to complain about.
  const Result<OperatorDump> dump = OperatorDump::Open(folder);
  if (!dump.ok() || dump->plan().spec.kind != "spark") return false;
  fmt::print(stderr, "{} runs on Spark alone: replaying it there (--engine spark)\n",
             dump->plan().spec.name);
  return true;
}

Result<JvmCommand> SparkJvm(const SparkEngine& engine, const std::string& main_class) {
  JvmCommand command;
  ARROW_ASSIGN_OR_RAISE(command.java, FindJava());
  ARROW_ASSIGN_OR_RAISE(command.spark_home, FindSpark(engine.spark_home));
  ARROW_ASSIGN_OR_RAISE(const std::string plugin, FindPluginJar(command.spark_home));
  command.class_path = {plugin};
  command.class_path.insert(command.class_path.end(), engine.jars.begin(), engine.jars.end());
  command.class_path.push_back(command.spark_home + "/jars/*");
  command.main_class = main_class;
  command.jdwp_port = engine.jdwp_port;
  return command;
}

Result<int> RunOnSpark(const SparkEngine& engine, const CLI::App& app, const SparkRun& run) {
  for (const char* name : kNativeOnly) {
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option != nullptr && option->count() > 0) {
      return Status::Invalid(name,
                             " looks into native code, and the operator runs on Spark; --jdwp "
                             "lets a Java debugger in");
    }
  }
  for (const std::string& folder : run.folders) {
    ARROW_RETURN_NOT_OK(OperatorDump::Open(folder).status());
  }
  ARROW_ASSIGN_OR_RAISE(JvmCommand command, SparkJvm(engine, run.main_class));
  command.arguments = PassedOn(app);
  if (run.brief) command.arguments.emplace_back("--brief");
  command.arguments.emplace_back("--");
  command.arguments.insert(command.arguments.end(), run.folders.begin(), run.folders.end());
  if (engine.jdwp_port) {
    fmt::print(stderr,
               "The JVM waits for a debugger: attach to 127.0.0.1:{}, for example by\n"
               "  jdb -attach 127.0.0.1:{}\n",
               *engine.jdwp_port, *engine.jdwp_port);
  }
  ARROW_ASSIGN_OR_RAISE(const int status, RunJvm(command));
  if (status == kExitDone || status == kExitFalse || status == kExitNotCompared) return status;
  if (status == kExitBadInput) return Status::Invalid("no replay on Spark; see above");
  return Status::Invalid("the JVM ended with status ", status);
}

}  // namespace reprise
