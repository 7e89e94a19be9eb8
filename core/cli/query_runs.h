// Runs of a query in a JVM, each an application of its own.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/spark_engine.h"

namespace reprise {

/// What is run: statements one after the other, of which the last one's rows are read and dropped.
struct QueryToRun {
  std::vector<std::string> statements;
  std::map<std::string, std::string> tables;  ///< paths of Parquet files by the names of views
  std::map<std::string, std::string> conf;    ///< of all runs
};

struct QueryRun {
  std::string name;
  std::map<std::string, std::string> conf;  ///< of this run, besides
};

/// Runs it, with the plug-in, as often as there are `runs`, in one JVM. `work`: a folder for what
/// the JVM reads and writes, which stays. Returns by the runs' names what each has failed with;
/// nothing where it has not. Status::Invalid where there is no JVM to run it, or it could not.
Result<std::map<std::string, std::optional<std::string>>> RunQuery(
    const SparkEngine& engine, const QueryToRun& query, const std::vector<QueryRun>& runs,
    const std::string& work);

}  // namespace reprise
