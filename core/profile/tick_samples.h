// What the wall clock's ticks whose stacks were not walked count as.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "profile/jfr_chunk.h"
#include "profile/wall_ticks.h"

namespace reprise {

/// Whose the thread, as the kernel numbers it, was at that time: the same pointer, the same task.
using TaskOfThread = std::function<const void*(int64_t thread, int64_t ns)>;

/// Samples of the wall clock that are not in the chunk's bytes. A thread that ran has the stack of
/// the nearest processor sample of the same thread and task, one that waited that of the sample
/// since which it waits; ticks of the same stack are one sample that counts for all. Where the
/// profiler has dropped that sample there is none (stack 0).
std::vector<JfrSample> SamplesOf(const JfrChunk& chunk, std::span<const WallTick> ticks,
                                 const TaskOfThread& task_of);

}  // namespace reprise
