// `--perf-stat`: what the processor and the kernel count while an operator runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace reprise {

struct CounterValue {
  std::string name;  ///< "instructions"
  int64_t value = 0;
  bool scaled = false;  ///< it shared its counter with others and was extrapolated
};

/// Counters of the calling thread, user mode only; they stand still until Count(true).
class PerfCounters {
 public:
  /// Opens those counters that this machine has. Status::Invalid says why where the kernel gives
  /// none.
  static Result<std::unique_ptr<PerfCounters>> Open();
  ~PerfCounters();
  PerfCounters(const PerfCounters&) = delete;
  PerfCounters& operator=(const PerfCounters&) = delete;

  void Count(bool on);
  std::vector<CounterValue> Values() const;

 private:
  struct Counter {
    const char* name;
    int descriptor;
  };
  PerfCounters() = default;
  std::vector<Counter> counters_;
};

}  // namespace reprise
