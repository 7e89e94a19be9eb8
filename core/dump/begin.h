// Begins the dump of an operator, on the driver, before the stage that captures starts; and ends
// those of a query that has run, of which nothing was wanted.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// Creates loreId-N/ with plan.meta, input-k/rdd.meta and output/rdd.meta. `request`:
///   {"capture":{"path":"file:/…","loreId":5,"partitions":[3,4]?,"output":true,"query":"token"},
///    "operator":SPEC, "conf":{…}, "versions":{"spark":…,"reprise":…},
///    "inputs":[{"partitions":n,"replicated":false}|null…], "outputPartitions":n,
///    "outputReplicated":true?, "spark":{…}?, "apart":true?, "values":{…}?}
/// Of a fragment there is "fragment" in place of "operator" and "inputs": its JSON
/// (operators/fragment.h) from its root on; its specification and streams are in the capture.
/// "values": what the operator's specification names by numbers (operators/runtime_values.h).
/// "spark": Spark's operator in portable form. An operator whose streams stand apart is begun
/// stream by stream, as they become known: an input that is null, and an output without its number
/// of partitions, come later. An operator that the same query began before, with the same
/// plan.meta, is left as it is: a plan may run twice. The dump path must be absent, or empty, or
/// all in it begun by the same query (its other operators and stages). Status::Invalid for a
/// request or a path that cannot be taken, Status::IOError where writing fails.
Status BeginDump(const nlohmann::json& request);

/// The query with this token has run. Of its operators whose tasks are dumped only where they fail
/// or are slow (capture.when), what was begun is removed of those that no such task has recorded,
/// with the rows that all tasks share; so is the dump path where it was made for them and nothing
/// is left in it. Status::IOError where that cannot be done.
Status EndDumps(std::string_view query_token);

}  // namespace reprise
