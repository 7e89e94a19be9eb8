#include "cli/explain_log.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/event_log.h"
#include "cli/figures.h"
#include "lineage/model_json.h"

namespace reprise {

namespace {

std::string Indented(const std::string& text, int depth) {
  return std::string(2 * static_cast<size_t>(depth), ' ') + text;
}

void PrintVerdicts(const std::vector<OperatorVerdict>& verdicts, bool not_native) {
  TextTable table(
      {{"LORE id", true}, {"operator"}, {"name#occurrence"}, {"fingerprint"}, {"native"}});
  for (const OperatorVerdict& verdict : verdicts) {
    if (not_native && verdict.native) continue;
    const std::string id = verdict.lore_id < 0 ? "" : std::to_string(verdict.lore_id);
    // Each further reason has a line of its own below the first.
    for (size_t i = 0; i == 0 || i < verdict.reasons.size(); ++i) {
      const std::string why = verdict.native               ? "yes"
                              : i < verdict.reasons.size() ? "no: " + verdict.reasons[i]
                                                           : "no";
      if (i == 0) {
        table.Add({id, Indented(verdict.name, verdict.depth), verdict.occurrence,
                   verdict.fingerprint, why});
      } else {
        table.Add({"", "", "", "", why});
      }
      if (verdict.native) break;
    }
  }
  fmt::print("{}", table.ToString(2));
}

void PrintPlan(const std::vector<PlanOperator>& plan) {
  TextTable table({{"LORE id", true}, {"operator"}});
  for (const PlanOperator& node : plan) {
    table.Add({node.lore_id ? std::to_string(*node.lore_id) : "", Indented(node.name, node.depth)});
  }
  fmt::print("{}", table.ToString(2));
}

void PrintExecution(const SqlExecution& execution, bool not_native) {
  const std::string first = execution.description.substr(0, execution.description.find('\n'));
  fmt::print("SQL {}: {}\n", execution.id, first);
  if (!execution.error.empty()) {
    fmt::print("  failed: {}\n", execution.error.substr(0, execution.error.find('\n')));
  }
  if (execution.verdicts.empty()) {
    fmt::print(
        "  The log holds no event of Reprise about it: it ran without the plug-in, or with one that"
        " was switched off.\n  Spark's own plan:\n");
    PrintPlan(execution.plan);
    return;
  }
  const auto& [planning, verdicts] = *execution.verdicts.rbegin();
  if (execution.verdicts.size() > 1) {
    fmt::print("  Adaptive execution planned it {} times; this is the last plan.\n",
               execution.verdicts.size());
  }
  PrintVerdicts(verdicts, not_native);
}

}  // namespace

bool IsEventLog(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return true;
  const Result<EventLogFiles> files = FindEventLog(path);
  return files.ok() && ExpectEventLog(*files).ok();
}

Result<int> ExplainLog(const ExplainLogOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const LoadedLog log, ReadEventLog(options.path, {.tasks = false}));
  const auto& executions = log.model.executions();
  if (options.sql && !executions.contains(*options.sql)) {
    return Status::Invalid(options.path, ": there is no SQL query ", *options.sql,
                           "; the log tells of ", executions.size());
  }
  nlohmann::json json = HeadJson(log);
  json["sql"] = nlohmann::json::array();
  bool first = true;
  for (const auto& [id, execution] : executions) {
    if (options.sql && id != *options.sql) continue;
    if (options.json) {
      json["sql"].push_back(ToJson(execution));
      continue;
    }
    fmt::print("{}", first ? "" : "\n");
    first = false;
    PrintExecution(execution, options.not_native);
  }
  if (options.json) {
    fmt::print("{}\n", json.dump(2));
  } else if (executions.empty()) {
    fmt::print("The log tells of no SQL query.\n");
  }
  return kExitDone;
}

}  // namespace reprise
