// reprise debug-task RECORDING --stage S --partition P
//   purpose  run one recorded task alone, in the main thread of a JVM, under a Java debugger
//   input    a recording of an application's lineage (spark.reprise.lineage.path)
//   output   how to attach; then what the task prints, and what came of it
//   example  reprise debug-task /tmp/recording --stage 3 --partition 17
#include "cli/cmd_debug_task.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/event_log.h"
#include "cli/jvm.h"
#include "cli/not_negative.h"

namespace reprise {

namespace {

constexpr const char* kMainClass = "reprise.lineage.DebugTask";

struct DebugTaskOptions {
  std::string recording;
  int64_t stage = 0;
  int64_t partition = 0;
  int port = 0;
  std::string spark_home;
  std::string class_path;
  std::vector<std::string> conf;
  bool no_debugger = false;
};

Result<int> FreePort() {
  const auto fail = [] { return Status::IOError("no port is free: ", std::strerror(errno)); };
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  if (socket < 0) return fail();
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  const bool bound = ::bind(socket, any, length) == 0 && ::getsockname(socket, any, &length) == 0;
  const Status failed = bound ? Status::OK() : fail();
  ::close(socket);
  RETURN_NOT_OK(failed);
  return ntohs(address.sin_port);
}

std::string HowToAttach(int port) {
  return fmt::format(
      R"(A JVM waits for a debugger on port {0} of this machine. Attach, set breakpoints, let it run:
  jdb       jdb -attach 127.0.0.1:{0}, then: stop at Class:line (or: catch Exception), run
  VS Code   a configuration {{"type": "java", "request": "attach", "hostName": "127.0.0.1", "port": {0}}}
  IntelliJ  Run, Edit Configurations, Remote JVM Debug: host 127.0.0.1, port {0}
)",
      port);
}

bool IsLocal(const std::string& path) {
  const size_t colon = path.find(':');
  return colon == std::string::npos || path.find('/') < colon;
}

// The JVM finds out too, but only once somebody has attached a debugger to it.
Status CheckTask(const DebugTaskOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const LoadedLog log, ReadEventLog(options.recording, {.sql = false}));
  const auto& stages = log.model.stages();
  const auto stage = stages.find(options.stage);
  if (stage == stages.end()) {
    return Status::Invalid(options.recording, " has no stage ", options.stage,
                           stages.empty()
                               ? ": it has none"
                               : fmt::format(": its stages end at {}", stages.rbegin()->first));
  }
  const std::vector<int64_t>& rdds = stage->second.rdds;
  const auto rdd = log.model.rdds().find(rdds.empty() ? -1 : rdds.front());
  if (rdd != log.model.rdds().end() && options.partition >= rdd->second.partitions) {
    return Status::Invalid("stage ", options.stage, " has the partitions 0 to ",
                           rdd->second.partitions - 1, ", not ", options.partition);
  }
  return Status::OK();
}

Result<int> Debug(const DebugTaskOptions& options) {
  if (IsLocal(options.recording)) RETURN_NOT_OK(CheckTask(options));
  JvmCommand command;
  ARROW_ASSIGN_OR_RAISE(command.java, FindJava());
  ARROW_ASSIGN_OR_RAISE(command.spark_home, FindSpark(options.spark_home));
  ARROW_ASSIGN_OR_RAISE(const std::string plugin, FindPluginJar(command.spark_home));
  command.class_path = {plugin, command.spark_home + "/jars/*"};
  if (!options.class_path.empty()) command.class_path.push_back(options.class_path);
  command.main_class = kMainClass;
  command.arguments = {options.recording, std::to_string(options.stage),
                       std::to_string(options.partition)};
  command.arguments.insert(command.arguments.end(), options.conf.begin(), options.conf.end());
  if (!options.no_debugger) {
    command.jdwp_port = options.port;
    if (options.port == 0) {
      ARROW_ASSIGN_OR_RAISE(command.jdwp_port, FreePort());
    }
    fmt::print("{}", HowToAttach(*command.jdwp_port));
    std::fflush(stdout);
  }
  return RunJvm(command);
}

Run DeclareDebugTask(CLI::App& app) {
  auto options = std::make_shared<DebugTaskOptions>();
  app.add_option("recording", options->recording, "the folder that the lineage was recorded to")
      ->required();
  app.add_option("--stage", options->stage, "the task's stage")->required()->check(NotNegative());
  app.add_option("--partition", options->partition, "the task's partition")
      ->required()
      ->check(NotNegative());
  app.add_option("--port", options->port, "where the JVM waits on 127.0.0.1; 0: a free port")
      ->check(CLI::Range(0, 65535));
  app.add_flag("--no-debugger", options->no_debugger, "run the task at once");
  app.add_option("--class-path", options->class_path,
                 "jars of the application, beside those that stand where they were recorded");
  app.add_option("--conf", options->conf, "settings of Spark's: key=value")
      ->expected(1)
      ->take_all();
  app.add_option("--spark-home", options->spark_home, "the folder of Spark");
  return [options] { return Debug(*options); };
}

}  // namespace

const Subcommand kDebugTask = {
    "debug-task", "Run one recorded task alone, under a Java debugger (needs a JVM)",
    "reprise debug-task /tmp/recording --stage 3 --partition 17", DeclareDebugTask};

}  // namespace reprise
