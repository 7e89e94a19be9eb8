#include "replay/least_memory.h"

#include <algorithm>

namespace reprise {

namespace {

constexpr const char* kMemoryKey = "spark.memory.offHeap.size";
constexpr int64_t kStepMin = int64_t{64} << 10;
/// A limit that its own peak would not fit in is tried so many times as large, and no larger.
constexpr int64_t kPeaksMax = 16;

template <typename Of>
int64_t Largest(const ReplayReport& report, const Of& of) {
  int64_t largest = 0;
  for (const PartitionReplay& replay : report.partitions) largest = std::max(largest, of(replay));
  return largest;
}

bool Does(const ReplayReport& report) {
  return std::ranges::all_of(report.partitions, &PartitionReplay::is_as_recorded);
}

}  // namespace

int64_t LeastMemory::PeakOf(const ReplayReport& report) {
  return Largest(report, [](const auto& replay) { return replay.memory->peak_bytes; });
}

int64_t LeastMemory::SpilledOf(const ReplayReport& report) {
  return Largest(report, [](const auto& replay) { return replay.memory->spilled_bytes; });
}

int64_t LeastMemory::OwnTimeOf(const ReplayReport& report) {
  return Largest(report, [](const auto& replay) { return replay.own_time_ns(); });
}

Result<LeastMemory> FindLeastMemory(const std::string& folder, ReplayOptions options) {
  options.counts_memory = true;
  options.locates_failures = false;
  LeastMemory found;
  ARROW_ASSIGN_OR_RAISE(found.enough, Replay(folder, options));
  if (found.enough.partitions.empty() || !Does(found.enough)) {
    return Status::Invalid(folder,
                           ": the replay without a limit is not as recorded, so that nothing can "
                           "be said of the memory that it needs");
  }
  const auto does_with = [&](int64_t bytes) -> Result<bool> {
    options.conf[kMemoryKey] = std::to_string(std::max<int64_t>(bytes, 1)) + "b";
    ARROW_ASSIGN_OR_RAISE(auto report, Replay(folder, options));
    ++found.tries;
    if (!Does(report)) return false;
    found.least = std::move(report);
    found.least_bytes = bytes;
    return true;
  };
  ARROW_ASSIGN_OR_RAISE(const bool needs_none, does_with(0));
  if (needs_none) return found;
  int64_t too_little = 0;
  const int64_t peak = std::max(LeastMemory::PeakOf(found.enough), kStepMin);
  for (int64_t bytes = peak; bytes <= peak * kPeaksMax; bytes *= 2) {
    ARROW_ASSIGN_OR_RAISE(const bool does, does_with(bytes));
    if (does) break;
    too_little = bytes;
  }
  if (found.least_bytes == 0) {
    return Status::Invalid(folder, ": under a limit of ", too_little,
                           " bytes it still fails, though its peak without one was ", peak);
  }
  while (found.least_bytes - too_little > std::max(kStepMin, found.least_bytes / 20)) {
    const int64_t middle = too_little + (found.least_bytes - too_little) / 2;
    ARROW_ASSIGN_OR_RAISE(const bool does, does_with(middle));
    if (!does) too_little = middle;
  }
  return found;
}

}  // namespace reprise
