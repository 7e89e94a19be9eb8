// What runs natively, as the page docs/reference/operators.md and as JSON, from the tables that
// planning uses.
#pragma once

#include <string>
#include <vector>

namespace reprise {

std::string SupportedMarkdown();

/// {"operators":[{"spark","native","kind","notes"}…],"expressions":[{"spark","function","signature","notes"}…],
/// "aggregates":[…],"casts":[{"from","to":[…]}…]}
std::string SupportedJson();

/// Every operator kind that the rules can write.
std::vector<std::string> WrittenKinds();

}  // namespace reprise
