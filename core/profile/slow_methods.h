// What the slow tasks of a stage do that its median tasks do not: methods, by their samples.
#pragma once

#include <string>
#include <vector>

#include "profile/slow_tasks.h"

namespace reprise {

/// What was found running, by itself and not in what it calls.
struct SlowMethod {
  std::string name;
  std::string within;         ///< the native operator that called it; "": none
  double slow_samples = 0;    ///< of a slow task, on average
  double median_samples = 0;  ///< of a median one
};

struct SlowMethods {
  std::string event;  ///< what was sampled: "wall clock", "CPU", …
  int64_t tasks = 0;  ///< of all that ran
  int64_t slow = 0;   ///< of which these are compared
  int64_t median = 0;
  double slow_ms = 0;  ///< that they took on average
  double median_ms = 0;
  std::vector<SlowMethod> more;  ///< at most `methods_max`, that with the largest difference first
};

/// Of the recordings of one stage. No tasks where there are fewer than two. Errors are ReadStacks'.
Result<SlowMethods> WhatSlowTasksDo(const std::vector<std::string>& files, size_t methods_max);

}  // namespace reprise
