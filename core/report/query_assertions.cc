#include "report/query_assertions.h"

#include <fmt/format.h>

#include <algorithm>

#include "lineage/query_tree.h"
#include "rules/assertion_list.h"

namespace reprise {

namespace {

AssertionOutcome OutcomeOf(const ReportedQuery& query, int64_t lore_id, const std::string& text) {
  const std::string& error = query.execution->error;
  // As core/operators/output_assertions.cc tells of it.
  const std::string of_operator = fmt::format("LORE id: {}\n  assertion: {}", lore_id, text);
  if (error.find(of_operator) != std::string::npos) return AssertionOutcome::kFailed;
  if (!error.empty() || query.execution->ended == 0) return AssertionOutcome::kUntold;
  const auto node = std::ranges::find(query.plan, lore_id, &GraphNode::lore_id);
  const bool ran = node != query.plan.end() && node->runs != RunsIn::kNothing;
  return ran ? AssertionOutcome::kHeld : AssertionOutcome::kUntold;
}

}  // namespace

std::string_view NameOf(AssertionOutcome outcome) {
  switch (outcome) {
    case AssertionOutcome::kHeld:
      return "held";
    case AssertionOutcome::kFailed:
      return "failed";
    case AssertionOutcome::kUntold:
      break;
  }
  return "untold";
}

std::vector<QueryAssertion> AssertionsOf(const Report& report, const ReportedQuery& query) {
  std::vector<QueryAssertion> asserted;
  const std::string setting = report.Setting(kAssertKey, &query);
  if (setting.empty()) return asserted;
  const auto written = ParseAssertions(setting);
  if (!written.ok()) return asserted;
  for (const ExplainedQuery* explained : QueriesOf(report.model, query.execution->id)) {
    for (const auto& [id, known] : explained->operators) {
      for (const WrittenAssertion& each : *written) {
        if (!each.choice.Names(id, known.occurrence, known.fingerprint)) continue;
        asserted.push_back({.lore_id = id,
                            .name = known.name,
                            .text = each.text,
                            .outcome = OutcomeOf(query, id, each.text)});
      }
    }
  }
  return asserted;
}

}  // namespace reprise
