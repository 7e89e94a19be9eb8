// Why some tasks of a stage are slow: their samples against those of ordinary ones.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "flame/flame_page.h"
#include "profile/sample_stacks.h"

namespace reprise {

/// Tasks of a stage that are compared.
struct SlowAndMedian {
  std::set<int64_t> slow;    ///< the slowest tenth, at least one
  std::set<int64_t> median;  ///< those between the 40th and the 60th percentile, at least one
};

/// By how long the tasks ran; none where there are fewer than two.
SlowAndMedian ChooseTasks(const std::map<int64_t, RecordedTask>& tasks);

/// How long they ran on average.
double MeanMs(const std::map<int64_t, RecordedTask>& tasks, const std::set<int64_t>& chosen);

/// Writes the page of the differences to `html`; what the median tasks did is scaled to as many
/// tasks as there are slow ones. Returns how many slow tasks it shows; 0 and no page where there
/// are fewer than two tasks.
Result<int64_t> WriteSlowTasksPage(const std::vector<std::string>& files, FlamePageText text,
                                   const std::string& html);

/// The stacks with weights multiplied by `factor`, rounded.
NumberedStacks Scaled(const NumberedStacks& stacks, double factor);

}  // namespace reprise
