// What a user may write in spark.reprise.flameGraph.executors and .asyncProfiler.options.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace reprise {

/// The executors to profile.
struct ExecutorChoice {
  bool all = false;
  bool driver = false;
  std::vector<std::pair<int64_t, int64_t>> ranges;  ///< both ends belong to them
};

/// Parses "*", or ids, ranges of ids and "driver" separated by commas: "0,2,5-8,driver".
/// Status::Invalid shows the text with a caret under the character that is wrong.
Result<ExecutorChoice> ParseExecutorChoice(std::string_view text);

/// Whether an executor is among them. `executor`: its id, or "driver", as which the one executor of
/// local mode, and any driver, are known.
bool Takes(const ExecutorChoice& choice, std::string_view executor);

/// What async-profiler is started with.
struct ProfilerOptions {
  std::string all;  ///< what the user wants, and what Reprise relies on
  /// The interval at which Reprise's own wall clock (wall_clock.h) samples the threads that run
  /// tasks, and async-profiler's options then: its own wall clock looks at all threads once a
  /// second. 0 where the user has none, or has it choose threads or signals itself.
  int64_t wall_ns = 0;
  std::string beside_own_wall = {};
  /// How much of the processor a thread uses between two samples of it, where wall-clock samples
  /// may be counted by those (wall_ticks.h); else 0.
  int64_t processor_ns = 0;
};

/// Checks options of async-profiler ("jfr,event=cpu,wall=10ms") and adds those that Reprise relies
/// on: the clock, and a bound of memory where none is given. Status::Invalid shows the text with a
/// caret under an unknown option, a value that cannot be, or an option that Reprise sets itself.
Result<ProfilerOptions> CheckProfilerOptions(std::string_view text);

}  // namespace reprise
