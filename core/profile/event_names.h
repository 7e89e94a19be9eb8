// What the events of recordings are called on pages, by what they are counted in.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

/// Whether samples of this event (`event=` of async-profiler) are a measure of the processor's
/// time; "": the recording does not say.
bool IsProcessorTime(std::string_view event);

/// What a user calls events of a type: "alloc", "lock". Samples of the profiler's main event have
/// its name: "page-faults". Of other types their own.
///
/// @param type  "jdk.JavaMonitorEnter"
/// @param event  the recording's main one
std::string EventName(std::string_view type, std::string_view event);

}  // namespace reprise
