// What every subcommand that reads an event log does alike.
#pragma once

#include "cli/subcommand.h"
#include "eventlog/load_log.h"

namespace reprise {

/// The log's path and --json, as options of a subcommand.
struct EventLogOptions {
  std::string path;
  bool json = false;

  void Declare(CLI::App& app);
};

/// Loads the log at `path` with a progress line, and reports its damages on stderr.
Result<LoadedLog> ReadEventLog(const std::string& path, LoadOptions options);

/// The time of a stage attempt in words: "1.20 s"; "" while it runs.
std::string TimeText(const StageAttempt& attempt);
/// "1,200 rows, 3.4 MB"; "" for none.
std::string VolumeText(int64_t rows, int64_t bytes);

}  // namespace reprise
