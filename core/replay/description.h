// What a dump says of its operator, for whoever replays it by other means than the core's.
#pragma once

#include <nlohmann/json.hpp>

#include "dump/reader.h"

namespace reprise {

/// {"name":"Generate","occurrence":"Generate#0","loreId":5,"fingerprint":"…","kind":"spark",
///  "output":[FIELD…], "partitions":n, "apart":false, "query":"…", "conf":{…}, "versions":{…},
///  "masked":{…}, "spark":PORTABLE|null,
///  "inputs":[{"partitions":n,"replicated":false,"schema":[FIELD…]}…]}
/// Fields as in core/plan/spec.h; PORTABLE as in docs/internals/plan-json.md.
nlohmann::json Describe(const OperatorDump& dump);

}  // namespace reprise
