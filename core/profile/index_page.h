// index.html: every stage of an application with its pages.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/status.h"

namespace reprise {

/// The page, which opens alone from disk; its links are to files beside it. `index` is
///
///   {"application","name","isOver":bool,
///    "stages":[{"stage","attempt","name","tookMs":n|null,"tasks","unprofiledTasks","wallMs","cpuMs",
///               "slow":"file.html"|null,
///               "executors":[{"executor","page":"file.html"|null,"isLast":bool,"isDropped":bool,
///                             "tasks","wallMs","cpuMs","cpuSamples","wallSamples","otherSamples":{}}…],
///               "operators":[{"loreId","name","samples"}…]}…],
///    "others":[{"executor","page","cpuSamples","wallSamples","otherSamples":{}}…],
///    "applications":[{"application","page"}…]: others that have written into the folder
///    "messages":[text…]}
///
/// where "tookMs" is from the stage's submission to its end, null while it runs, "tasks" are those
/// of profiled executors, and "otherSamples" has those of other events than the processor and the
/// clock, {event:samples…}, each of which has a column; the two have theirs where there are such,
/// or none of others.
///
/// Throws nlohmann::json::exception where it is not.
std::string IndexPage(const nlohmann::json& index);

}  // namespace reprise
