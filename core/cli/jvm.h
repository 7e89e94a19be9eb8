// Finds Java, Spark and the plug-in's jar, and runs a class of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace reprise {

/// JAVA_HOME's java, or the one of PATH. Status::Invalid says where it was looked for.
Result<std::string> FindJava();

/// The folder of Spark with `jars` in it: `given` where it is not empty, else SPARK_HOME, else the
/// pyspark that python3 finds. Status::Invalid says which of them were tried.
Result<std::string> FindSpark(const std::string& given);

/// The plug-in's jar: REPRISE_JAR, or reprise-spark-X.Y_*.jar of that Spark's version in the folder
/// above that of this program, or in its folders spark-X.Y and jars. Where there is none of the
/// version, another one's, which replays what both versions know.
Result<std::string> FindPluginJar(const std::string& spark_home);

/// A JVM to be started.
struct JvmCommand {
  std::string java;
  std::vector<std::string> class_path;
  std::string main_class;
  std::vector<std::string> arguments;
  std::string spark_home;        ///< SPARK_HOME of the JVM
  std::optional<int> jdwp_port;  ///< it waits there for a debugger before it does anything
};

/// Runs it with this program's input and output, until it ends; it is killed when this process ends
/// before. Returns its exit status. Status::Invalid where it can't be started or a signal ends it.
Result<int> RunJvm(const JvmCommand& command);

}  // namespace reprise
