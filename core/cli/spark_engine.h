// `--engine spark`: the operator of a dump in a JVM, as Spark's own.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/jvm.h"

namespace reprise {

/// What the command line says of Spark.
struct SparkEngine {
  std::string name;               ///< "native", "spark", or empty: what runs the operator
  std::string spark_home;         ///< empty: SPARK_HOME, or an installed pyspark
  std::vector<std::string> jars;  ///< of the user
  std::optional<int> jdwp_port;   ///< where the JVM waits for a debugger
};

/// --spark-home and --jars.
void DeclareSparkPlace(CLI::App& app, SparkEngine* engine);
/// These, and how an operator runs there.
void DeclareSparkOptions(CLI::App& app, SparkEngine* engine);

/// Whether the operator in `folder` is to be replayed on Spark: as `engine` says, and where it says
/// nothing, if only Spark runs it, which is noted on stderr.
Result<bool> RunsOnSpark(const SparkEngine& engine, const std::string& folder);

/// What starts a main class of the plug-in's jar beside Spark. Status::Invalid where Java, Spark or
/// the jar is not found.
Result<JvmCommand> SparkJvm(const SparkEngine& engine, const std::string& main_class);

/// What a JVM is started for.
struct SparkRun {
  std::string main_class = "reprise.replay.SparkReplay";
  std::vector<std::string> folders;  ///< loreId-N
  bool brief = false;                ///< a line for each
};

/// Starts a JVM for `run`, with the other options of `app` as they were given, prints what it
/// prints, and gives its exit status. The JVM dies with this process. Status::Invalid where Java,
/// Spark or the plug-in's jar is not found, or the JVM ends in another way; what is wrong with the
/// dump it has then said itself.
Result<int> RunOnSpark(const SparkEngine& engine, const CLI::App& app, const SparkRun& run);

}  // namespace reprise
