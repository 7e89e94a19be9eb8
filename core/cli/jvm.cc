#include "cli/jvm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <regex>

namespace reprise {

namespace {

namespace fs = std::filesystem;

// What Spark itself passes to its JVMs (JavaModuleOptions).
constexpr const char* kOpenPackages[] = {"java.lang",
                                         "java.lang.invoke",
                                         "java.lang.reflect",
                                         "java.io",
                                         "java.net",
                                         "java.nio",
                                         "java.util",
                                         "java.util.concurrent",
                                         "java.util.concurrent.atomic",
                                         "sun.nio.ch",
                                         "sun.nio.cs",
                                         "jdk.internal.ref",
                                         "sun.security.action",
                                         "sun.util.calendar"};

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool IsProgram(const fs::path& path) { return access(path.c_str(), X_OK) == 0; }

// Versions of a Spark, as the name of its jar says them: spark-core_2.13-4.1.3.jar.
struct SparkVersions {
  std::string scala;  // "2.13"
  std::string spark;  // "4.1": without the last number, as the plug-in's jars are called
};

// Empty where the jars do not say them.
SparkVersions VersionsOf(const fs::path& home) {
  static const std::regex core("spark-core_([0-9.]+)-([0-9]+\\.[0-9]+)\\..*\\.jar");
  std::error_code error;
  for (fs::directory_iterator it(home / "jars", error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::smatch found;
    if (std::regex_match(name, found, core)) return {found[1], found[2]};
  }
  return {};
}

Result<std::string> CheckedSpark(const std::string& home, std::string_view name) {
  std::error_code error;
  if (!fs::is_directory(fs::path(home) / "jars", error)) {
    return Status::Invalid(name, " is ", home, ", where there is no folder jars");
  }
  return home;
}

// The first line that a program prints; empty where it can't be run.
std::string FirstLineOf(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  char line[4096] = "";
  const bool has_line = fgets(line, sizeof line, pipe) != nullptr;
  pclose(pipe);
  line[strcspn(line, "\n")] = '\0';
  return has_line ? line : "";
}

std::vector<std::string> ArgumentsOf(const JvmCommand& command) {
  std::vector<std::string> all = {command.java, "-XX:+IgnoreUnrecognizedVMOptions",
                                  "-Dlog4j2.configurationFile=reprise/replay/log4j2.properties"};
  for (const char* package : kOpenPackages) {
    all.push_back(fmt::format("--add-opens=java.base/{}=ALL-UNNAMED", package));
  }
  if (command.jdwp_port) {
    all.push_back(
        fmt::format("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:{}",
                    *command.jdwp_port));
  }
  all.insert(all.end(),
             {"-cp", fmt::format("{}", fmt::join(command.class_path, ":")), command.main_class});
  all.insert(all.end(), command.arguments.begin(), command.arguments.end());
  return all;
}

[[noreturn]] void BecomeJvm(const JvmCommand& command, pid_t parent) {
  // The parent may have ended before the request.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  setenv("SPARK_HOME", command.spark_home.c_str(), 1);
  // Driver and executor are one process.
  setenv("SPARK_LOCAL_IP", "127.0.0.1", 0);
  std::vector<std::string> arguments = ArgumentsOf(command);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(command.java.c_str(), pointers.data());
  fmt::print(stderr, "reprise: {}: {}\n", command.java, strerror(errno));
  _exit(127);
}

}  // namespace

Result<std::string> FindJava() {
  const std::string home = Environment("JAVA_HOME");
  if (!home.empty()) {
    const fs::path java = fs::path(home) / "bin/java";
    if (IsProgram(java)) return java.string();
    return Status::Invalid("JAVA_HOME is ", home, ", where there is no bin/java");
  }
  const std::string path = Environment("PATH");
  for (size_t start = 0; start <= path.size();) {
    const size_t end = std::min(path.find(':', start), path.size());
    const fs::path java = fs::path(path.substr(start, end - start)) / "java";
    if (IsProgram(java)) return java.string();
    start = end + 1;
  }
  return Status::Invalid("a replay on Spark needs Java 17: set JAVA_HOME, or put java on the PATH");
}

Result<std::string> FindSpark(const std::string& given) {
  for (const auto& [home, name] :
       {std::pair(given, std::string("--spark-home")),
        std::pair(Environment("SPARK_HOME"), std::string("SPARK_HOME"))}) {
    if (!home.empty()) return CheckedSpark(home, name);
  }
  const std::string found = FirstLineOf(
      "python3 -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))' 2>/dev/null");
  if (!found.empty()) return CheckedSpark(found, "the pyspark of python3");
  return Status::Invalid(
      "a replay on Spark needs Spark: name its folder with --spark-home or SPARK_HOME, or install "
      "pyspark for python3");
}

Result<std::string> FindPluginJar(const std::string& spark_home) {
  const std::string given = Environment("REPRISE_JAR");
  if (!given.empty()) return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = program.parent_path().parent_path();
  const SparkVersions versions = VersionsOf(spark_home);
  const std::string same = fmt::format("reprise-spark-{}_{}.jar", versions.spark, versions.scala);
  // Where the jar lies after a build, and in the archive and the Python package.
  const fs::path folders[] = {folder, folder / ("spark-" + versions.spark), folder / "jars"};
  for (const fs::path& place : folders) {
    if (fs::exists(place / same, error)) return (place / same).string();
  }
  // One for another Spark of the same Scala says itself that it is.
  const std::string scala = versions.scala.empty() ? ".jar" : "_" + versions.scala + ".jar";
  bool is_there = false;
  for (const fs::path& place : folders) {
    for (fs::directory_iterator it(place, error), end; !error && it != end; it.increment(error)) {
      const std::string name = it->path().filename().string();
      if (!name.starts_with("reprise-spark-") || !name.ends_with(".jar")) continue;
      if (name.ends_with(scala)) return it->path().string();
      is_there = true;
    }
  }
  if (is_there) {
    return Status::Invalid(spark_home, " is Spark ", versions.spark, " with Scala ", versions.scala,
                           ", whose jar ", same, " is not in ", folder.string(),
                           "; name it with REPRISE_JAR");
  }
  return Status::Invalid("the plug-in's jar, reprise-spark-….jar, is not in ", folder.string(),
                         ", where it lies beside this program; name it with REPRISE_JAR");
}

Result<int> RunJvm(const JvmCommand& command) {
  fflush(stdout);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return Status::IOError("no process can be started: ", strerror(errno));
  if (child == 0) BecomeJvm(command, parent);
  int state = 0;
  while (waitpid(child, &state, 0) < 0) {
    if (errno != EINTR) return Status::IOError("the JVM was lost: ", strerror(errno));
  }
  if (WIFEXITED(state)) return WEXITSTATUS(state);
  return Status::Invalid("the JVM was ended by signal ", WTERMSIG(state), " (",
                         strsignal(WTERMSIG(state)), ")");
}

}  // namespace reprise
