// What an event log tells about the operators of its SQL queries.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"

namespace reprise {

struct ExplainLogOptions {
  std::string path;
  std::optional<int64_t> sql;  ///< only this query
  bool not_native = false;
  bool json = false;
};

/// True where `path` is an event log, or a folder, which can be nothing else here.
bool IsEventLog(const std::string& path);

/// Prints, query by query, the operators with LORE id, occurrence, fingerprint, and whether they
/// run natively or why not. A query that Reprise wrote nothing about shows Spark's own plan, and
/// says so.
Result<int> ExplainLog(const ExplainLogOptions& options);

}  // namespace reprise
