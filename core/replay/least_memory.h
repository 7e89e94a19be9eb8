// The least memory with which an operator gives what it gives.
#pragma once

#include <string>

#include "replay/replay.h"

namespace reprise {

struct LeastMemory {
  ReplayReport enough;      ///< of the replay without a limit
  ReplayReport least;       ///< with `least_bytes`
  int64_t least_bytes = 0;  ///< granted to each task; 0: it does with what it may over-commit
  int tries = 0;            ///< replays

  /// Of the partition that takes most.
  static int64_t PeakOf(const ReplayReport& report);
  static int64_t SpilledOf(const ReplayReport& report);
  static int64_t OwnTimeOf(const ReplayReport& report);
};

/// Replays with ever closer limits, to a twentieth or 64 KiB. As TaskMemory does in Spark, an
/// operator may take 32 MiB beyond what it is granted. Status::Invalid where the replay without a
/// limit already fails, gives other rows than were recorded, or is of no task; else fails as Replay
/// does.
Result<LeastMemory> FindLeastMemory(const std::string& folder, ReplayOptions options);

}  // namespace reprise
