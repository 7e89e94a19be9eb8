// Begins the dump of an operator, on the driver, before the stage that captures starts.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// Whether the query with this token may dump to `path`: the folder is absent, or empty, or
/// everything in it was begun by the same query (its other operators and stages). Otherwise
/// Status::Invalid that names the path and says that it must be empty or absent. Asked when the
/// query is planned, and again by BeginDump.
Status CheckDumpPath(std::string_view path, std::string_view query_token);

/// Creates loreId-N/ with plan.meta, input-k/rdd.meta and output/rdd.meta. `request`:
///   {"capture":{"path":"file:/…","loreId":5,"partitions":[3,4]?,"output":true,"query":"token"},
///    "operator":SPEC, "conf":{…}, "versions":{"spark":…,"reprise":…},
///    "inputs":[{"partitions":n,"replicated":false}|null…], "outputPartitions":n,
///    "spark":{…}?, "apart":true?, "values":{…}?}
/// "values": what the operator's specification names by numbers (operators/runtime_values.h).
/// "spark": Spark's operator in portable form. An operator whose streams stand apart is begun
/// stream by stream, as they become known: an input that is null, and an output without its number
/// of partitions, come later. An operator that the same query began before, with the same
/// plan.meta, is left as it is: a plan may run twice. Status::Invalid for a request or a path that
/// cannot be taken, Status::IOError where writing fails.
Status BeginDump(const nlohmann::json& request);

}  // namespace reprise
