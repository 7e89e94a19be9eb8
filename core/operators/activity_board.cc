#include "operators/activity_board.h"

#include <algorithm>

#include "base/trace.h"
#include "operators/task_memory.h"

namespace reprise {

void ActivityBoard::Note(const MemoryUser& user, int64_t rows, int64_t bytes) {
  const std::lock_guard lock(mutex_);
  auto found = std::ranges::find(activities_, &user, &decltype(activities_)::value_type::first);
  if (found == activities_.end()) {
    activities_.push_back({&user, {.name = user.MemoryName()}});
    found = activities_.end() - 1;
  }
  Activity& activity = found->second;
  activity.batches += 1;
  activity.rows += rows;
  activity.last_rows = rows;
  activity.last_bytes = bytes;
  activity.last_ns = MonotonicNs();
}

std::vector<Activity> ActivityBoard::Read() const {
  const std::lock_guard lock(mutex_);
  std::vector<Activity> all;
  for (const auto& [user, activity] : activities_) all.push_back(activity);
  return all;
}

}  // namespace reprise
