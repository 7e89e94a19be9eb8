// What threads are for, by their names; and names for the threads that run tasks.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "profile/span_tag.h"

namespace reprise {

/// "garbage collection", "compilation"; "idle" (a thread of another sort that waits); what a
/// driver's threads do: "scheduling", "task results", "queries", "remote calls", "listeners";
/// "other threads".
std::string ThreadGroup(std::string_view name, bool waits);

/// The name without its numbers, so that the threads of a pool are one: "dispatcher-event-loop-*".
std::string ThreadPool(std::string_view name);

/// Whether Spark has called the thread by the last task that it ran: "Executor task launch worker
/// for task 0.0 in stage 5.0 (TID 138)". A recording knows a thread by one name, so that this is
/// wrong of whatever the thread did before, and after.
bool IsNamedAfterLastTask(std::string_view name);

/// For such a thread, within a recording of one stage, by the tasks that it ran there: "Executor
/// task launch worker in stage 4.0 (TID 130, 134, 138 and 9 more)". Without tasks its pool's alone.
std::string RunnerName(std::span<const TaskTag> tasks);

}  // namespace reprise
