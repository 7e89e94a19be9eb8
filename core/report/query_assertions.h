// What was asserted of a query's operators (spark.reprise.assert), and whether it held.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace reprise {

enum class AssertionOutcome {
  kHeld,    ///< in every partition that was read
  kFailed,  ///< it is why the query failed
  kUntold,  ///< the operator did not run, or the query has failed or not ended
};
std::string_view NameOf(AssertionOutcome outcome);

struct QueryAssertion {
  int64_t lore_id = 0;
  std::string name;  ///< of the operator
  std::string text;  ///< as the user wrote it, behind the operator
  AssertionOutcome outcome = AssertionOutcome::kUntold;
};

/// Those that name an operator of the query; none where the setting cannot be read, of which the
/// query's own error tells.
std::vector<QueryAssertion> AssertionsOf(const Report& report, const ReportedQuery& query);

}  // namespace reprise
