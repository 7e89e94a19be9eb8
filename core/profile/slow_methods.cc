#include "profile/slow_methods.h"

#include <algorithm>
#include <map>

namespace reprise {

namespace {

using Method = std::pair<std::string, std::string>;  // its name, and the operator around it

// Time that tasks took is what they are slow by; events of other kinds where that was not sampled.
std::string EventOf(const std::string& root) {
  return root.starts_with("wall clock") ? "wall clock" : root;
}

Method MethodOf(const std::vector<uint32_t>& stack, const FrameNames& names) {
  Method method{names[stack.back()], ""};
  for (const uint32_t frame : stack) {
    if (names[frame].find("[loreId=") != std::string::npos) method.second = names[frame];
  }
  if (method.first == method.second) method.second.clear();
  return method;
}

// Samples a task by event and method.
using Samples = std::map<std::string, std::map<Method, double>>;

Samples SamplesOf(const SampledStacks& all, const std::set<int64_t>& chosen) {
  Samples samples;
  for (const int64_t task : chosen) {
    for (const auto& [stack, weight] : all.tasks.at(task).stacks) {
      if (stack->size() < 2) continue;
      samples[EventOf((*all.names)[stack->front()])][MethodOf(*stack, *all.names)] +=
          static_cast<double>(weight) / static_cast<double>(chosen.size());
    }
  }
  return samples;
}

std::string EventToCompare(const Samples& slow) {
  for (const char* event : {"wall clock", "CPU"}) {
    if (slow.contains(event)) return event;
  }
  return slow.empty() ? "" : slow.begin()->first;
}

}  // namespace

Result<SlowMethods> WhatSlowTasksDo(const std::vector<std::string>& files, size_t methods_max) {
  SampleFilter filter;
  filter.by_task = true;
  ARROW_ASSIGN_OR_RAISE(const SampledStacks all, ReadStacks(files, filter));
  const SlowAndMedian chosen = ChooseTasks(all.tasks);
  SlowMethods found;
  if (chosen.slow.empty()) return found;
  found.tasks = static_cast<int64_t>(all.tasks.size());
  found.slow = static_cast<int64_t>(chosen.slow.size());
  found.median = static_cast<int64_t>(chosen.median.size());
  found.slow_ms = MeanMs(all.tasks, chosen.slow);
  found.median_ms = MeanMs(all.tasks, chosen.median);
  const Samples slow = SamplesOf(all, chosen.slow);
  const Samples median = SamplesOf(all, chosen.median);
  found.event = EventToCompare(slow);
  if (found.event.empty()) return found;
  const auto beside = median.find(found.event);
  for (const auto& [method, samples] : slow.at(found.event)) {
    const double before =
        beside == median.end() || !beside->second.contains(method) ? 0 : beside->second.at(method);
    if (samples <= before) continue;
    found.more.push_back({.name = method.first,
                          .within = method.second,
                          .slow_samples = samples,
                          .median_samples = before});
  }
  std::ranges::sort(found.more, std::greater(),
                    [](const SlowMethod& each) { return each.slow_samples - each.median_samples; });
  if (found.more.size() > methods_max) found.more.resize(methods_max);
  return found;
}

}  // namespace reprise
