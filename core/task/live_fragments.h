// The fragments that run in this process, for those who ask who holds its native memory.
#pragma once

#include <string>

#include "operators/activity_board.h"
#include "task/task_json.h"

namespace reprise {

class TaskMemory;

/// While it lives, LiveFragmentsText tells of a fragment. What it is made of must outlive it.
class LiveFragment {
 public:
  LiveFragment(const TaskDescription& task, const TaskMemory& memory, const ActivityBoard& board);
  ~LiveFragment();
  LiveFragment(const LiveFragment&) = delete;
  LiveFragment& operator=(const LiveFragment&) = delete;

  const TaskDescription& task;
  const TaskMemory& memory;
  const ActivityBoard& board;
};

/// {"fragments":[{"stage":3,"partition":7,"attempt":41,"allocated":n,"granted":n,"peak":n,
///                "operators":[{"name":"RepriseSort (LORE id 5)","held":n,"peak":n,"batches":n,
///                              "rows":n,"lastRows":n,"lastBytes":n,"lastAgoMs":n}…]}…],
///  "shared":n}
/// Bytes. `held` of what an operator has allocated and that is not freed, wherever it is by now;
/// the "last" members where it has given a batch. "shared": what is charged to no task, such as
/// what tasks have built of a broadcast. May be called on any thread.
std::string LiveFragmentsText();

}  // namespace reprise
