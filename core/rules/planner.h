// The rules' entry point: a Spark plan in, the verdicts out.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// Answers a request of the plug-in about a plan; docs/internals/core-interface.md describes both
/// texts. Status::Invalid and Status::NotImplemented for a plan document or a request that breaks
/// its format, for settings that are wrong, and for an operator that is chosen for dumping and
/// cannot be dumped.
Result<std::string> Plan(std::string_view plan_json, std::string_view request_json);

}  // namespace reprise
