// The rules' entry point: a Spark plan in, the verdicts out.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "rules/assertion_list.h"

namespace reprise {

/// Answers a request of the plug-in about a plan; docs/internals/core-interface.md describes both
/// texts. Errors: Status::Invalid where the user's settings are wrong or an operator that is chosen
/// for dumping cannot be dumped, or an assertion cannot be checked; Status::SerializationError
/// where a document breaks its format, a fault of Reprise; Status::NotImplemented for a document of
/// another version.
///
/// `predicates` reads those of spark.reprise.assert.
Result<std::string> Plan(std::string_view plan_json, std::string_view request_json,
                         PredicateReader predicates = {});

}  // namespace reprise
