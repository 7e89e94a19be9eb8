// What threads that belong to no task are for, by their names.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

/// "garbage collection", "compilation"; "idle" (a thread of another sort that waits); what a
/// driver's threads do: "scheduling", "task results", "queries", "remote calls", "listeners";
/// "other threads".
std::string ThreadGroup(std::string_view name, bool waits);

/// The name without its numbers, so that the threads of a pool are one: "dispatcher-event-loop-*".
std::string ThreadPool(std::string_view name);

}  // namespace reprise
