#include "replay/perf_counters.h"

#include <linux/perf_event.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace reprise {

namespace {

struct Event {
  const char* name;
  uint32_t type;
  uint64_t config;
};

constexpr Event kEvents[] = {
    {"task-clock ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
};

int OpenEvent(const Event& event) {
  perf_event_attr attributes{};
  attributes.size = sizeof(attributes);
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(
      ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::string Paranoid() {
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  std::string level;
  file >> level;
  return level.empty() ? "unknown" : level;
}

}  // namespace

Result<std::unique_ptr<PerfCounters>> PerfCounters::Open() {
  std::unique_ptr<PerfCounters> counters(new PerfCounters());
  int first_error = 0;
  for (const Event& event : kEvents) {
    const int descriptor = OpenEvent(event);
    if (descriptor >= 0) {
      counters->counters_.push_back({event.name, descriptor});
    } else if (first_error == 0) {
      first_error = errno;
    }
  }
  if (!counters->counters_.empty()) return counters;
  return Status::Invalid("the kernel gives no performance counters here: ",
                         std::strerror(first_error), " (kernel.perf_event_paranoid is ", Paranoid(),
                         "; 2 or less allows them, unless a container forbids perf_event_open)");
}

PerfCounters::~PerfCounters() {
  for (const Counter& counter : counters_) ::close(counter.descriptor);
}

void PerfCounters::Count(bool on) {
  ::prctl(on ? PR_TASK_PERF_EVENTS_ENABLE : PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0);
}

std::vector<CounterValue> PerfCounters::Values() const {
  std::vector<CounterValue> values;
  for (const Counter& counter : counters_) {
    struct {
      uint64_t value;
      uint64_t enabled_ns;
      uint64_t running_ns;
    } read{};
    if (::read(counter.descriptor, &read, sizeof(read)) != sizeof(read)) continue;
    if (read.running_ns == 0 && read.enabled_ns != 0) continue;  // it never got onto the processor
    const bool scaled = read.running_ns < read.enabled_ns;
    const double factor =
        scaled ? static_cast<double>(read.enabled_ns) / static_cast<double>(read.running_ns) : 1;
    values.push_back(
        {counter.name, static_cast<int64_t>(static_cast<double>(read.value) * factor), scaled});
  }
  return values;
}

}  // namespace reprise
