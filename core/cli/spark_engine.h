// `reprise replay --engine spark`: the replay in a JVM, by Spark's own operator.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace reprise {

/// What the command line says of Spark.
struct SparkEngine {
  std::string name;               ///< "native", "spark", or empty: what runs the operator
  std::string spark_home;         ///< empty: SPARK_HOME, or an installed pyspark
  std::vector<std::string> jars;  ///< of the user
  std::optional<int> jdwp_port;   ///< where the JVM waits for a debugger
};

void DeclareSparkOptions(CLI::App& app, SparkEngine* engine);

/// Whether the operator in `folder` is to be replayed on Spark: as `engine` says, and where it says
/// nothing, if only Spark runs it, which is noted on stderr.
Result<bool> RunsOnSpark(const SparkEngine& engine, const std::string& folder);

/// Starts a JVM that replays `folder` with the other options of `app` as they were given, prints
/// what it prints, and gives its exit status: done or false. The JVM dies with this process.
/// Status::Invalid where Java, Spark or the plug-in's jar is not found, or the JVM ends in another
/// way; what is wrong with the dump it has then said itself.
Result<int> ReplayOnSpark(const SparkEngine& engine, const CLI::App& app,
                          const std::string& folder);

}  // namespace reprise
