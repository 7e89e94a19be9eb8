// What an executor has said of its memory (spark.reprise.memory.reportPath), for people.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/status.h"

namespace reprise {

/// Whether it is the name of such a report: of a file, "….memory.json".
bool IsMemoryReport(const std::string& path);

/// Reads a report:
///   {"format":"reprise-memory","version":1,"time":ms,"application":…,"executor":…,"host":…,
///    "error":…?,
///    "process":{"pid","resident","limit"?},
///    "jvm":{"heapUsed","heapMax","nonHeap","direct","mapped"},
///    "spark":{"executionOnHeap","storageOnHeap","maxOnHeap","executionOffHeap",…},
///    "tasks":[{"stage","partition","attempt","held","consumers":[{"name","bytes"}…]}…],
///    "native":LiveFragmentsText (task/live_fragments.h)}
/// Sizes in bytes. Status::Invalid, which names the file, where it is none or of another version.
Result<nlohmann::json> ReadMemoryReport(const std::string& path);

/// Who holds what, the most first.
std::string MemoryReportText(const nlohmann::json& report);

}  // namespace reprise
