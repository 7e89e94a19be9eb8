#include "profile/slow_tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profile/stage_page.h"

namespace reprise {

namespace {

NumberedStacks NumberedStacksOf(const std::map<int64_t, RecordedTask>& tasks,
                                const std::set<int64_t>& chosen) {
  NumberedStacks sum;
  for (const int64_t task : chosen) {
    for (const auto& [stack, weight] : tasks.at(task).stacks) sum[*stack] += weight;
  }
  return sum;
}

}  // namespace

double MeanMs(const std::map<int64_t, RecordedTask>& tasks, const std::set<int64_t>& chosen) {
  double sum = 0;
  for (const int64_t task : chosen) {
    const RecordedTask& one = tasks.at(task);
    sum += static_cast<double>(one.end_ns - one.start_ns) / 1e6;
  }
  return sum / static_cast<double>(chosen.size());
}

SlowAndMedian ChooseTasks(const std::map<int64_t, RecordedTask>& tasks) {
  SlowAndMedian chosen;
  if (tasks.size() < 2) return chosen;
  std::vector<std::pair<int64_t, int64_t>> by_time;
  for (const auto& [task, one] : tasks) by_time.emplace_back(one.end_ns - one.start_ns, task);
  std::ranges::sort(by_time);
  const size_t count = by_time.size();
  const size_t slow = std::max<size_t>(count / 10, 1);
  for (size_t i = count - slow; i < count; ++i) chosen.slow.insert(by_time[i].second);
  const size_t begin = std::min(count * 4 / 10, count - slow - 1);
  const size_t end = std::min(std::max(count * 6 / 10, begin + 1), count - slow);
  for (size_t i = begin; i < end; ++i) chosen.median.insert(by_time[i].second);
  return chosen;
}

NumberedStacks Scaled(const NumberedStacks& stacks, double factor) {
  NumberedStacks scaled;
  for (const auto& [frames, weight] : stacks) {
    const auto rounded = static_cast<int64_t>(std::llround(static_cast<double>(weight) * factor));
    if (rounded > 0) scaled[frames] = rounded;
  }
  return scaled;
}

Result<int64_t> WriteSlowTasksPage(const std::vector<std::string>& files, FlamePageText text,
                                   const std::string& html) {
  SampleFilter filter;
  filter.by_task = true;
  ARROW_ASSIGN_OR_RAISE(const SampledStacks all, ReadStacks(files, filter));
  const SlowAndMedian chosen = ChooseTasks(all.tasks);
  if (chosen.slow.empty()) return 0;
  const double factor =
      static_cast<double>(chosen.slow.size()) / static_cast<double>(chosen.median.size());
  text.subtitle += fmt::format(
      "\n{} slow of {} tasks ({:.0f} ms on average) against {} median ones ({:.0f} ms), scaled to "
      "as many; red: more in slow tasks, blue: less",
      chosen.slow.size(), all.tasks.size(), MeanMs(all.tasks, chosen.slow), chosen.median.size(),
      MeanMs(all.tasks, chosen.median));
  text.has_events = true;
  RETURN_NOT_OK(WriteFile(
      html, DifferencePage(text, Scaled(NumberedStacksOf(all.tasks, chosen.median), factor),
                           NumberedStacksOf(all.tasks, chosen.slow), *all.names,
                           {"median tasks", "slow tasks"})));
  return static_cast<int64_t>(chosen.slow.size());
}

}  // namespace reprise
