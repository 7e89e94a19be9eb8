// An event log to the application that wrote it.
#pragma once

#include <functional>
#include <string>

#include "base/status.h"
#include "eventlog/event_log_reader.h"
#include "eventlog/log_model.h"

namespace reprise {

struct LoadOptions {
  bool tasks = true;               ///< figures of tasks
  bool sql = true;                 ///< queries, their plans, Reprise's verdicts
  bool task_accumulators = false;  ///< so that operators are found in stages that never ended
  /// Called now and then with the bytes of files read and all of them.
  std::function<void(int64_t done, int64_t total)> progress;
};

struct LoadedLog {
  EventLogFiles files;
  LogModel model;
  LogDamages damages;
  std::string codec;       ///< of its newest file
  int64_t text_bytes = 0;  ///< decompressed
  int64_t events = 0;      ///< lines, wanted or not
};

/// Reads the log at `path` (see FindEventLog) to its end. Damaged lines are skipped and reported in
/// `damages`. Status::Invalid where there is no event log.
Result<LoadedLog> LoadLog(const std::string& path, const LoadOptions& options);

}  // namespace reprise
