#include "profile/event_names.h"

#include <algorithm>
#include <iterator>

namespace reprise {

namespace {

// Clocks of the processor, and the timers that stand in for them.
constexpr std::string_view kProcessorTime[] = {"",           "cpu",    "cpu-clock",
                                               "task-clock", "ctimer", "itimer"};

struct Name {
  std::string_view type;
  std::string_view name;
};

// As the options of async-profiler that ask for them.
constexpr Name kNames[] = {
    {"jdk.ObjectAllocationInNewTLAB", "alloc"}, {"jdk.ObjectAllocationOutsideTLAB", "alloc"},
    {"jdk.ObjectAllocationSample", "alloc"},    {"profiler.LiveObject", "live"},
    {"jdk.JavaMonitorEnter", "lock"},           {"jdk.ThreadPark", "lock"},
    {"profiler.NativeLock", "nativelock"},      {"profiler.Malloc", "nativemem"},
    {"profiler.Free", "nativemem, freed"},
};

}  // namespace

bool IsProcessorTime(std::string_view event) {
  return std::ranges::find(kProcessorTime, event) != std::end(kProcessorTime);
}

std::string EventName(std::string_view type, std::string_view event) {
  if (type == "jdk.ExecutionSample") return std::string(event);
  const auto* const known = std::ranges::find(kNames, type, &Name::type);
  return std::string(known == std::end(kNames) ? type : known->name);
}

}  // namespace reprise
