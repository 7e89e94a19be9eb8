#include "cli/explain_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/figure_text.h"
#include "base/first_line.h"
#include "cli/event_log.h"
#include "cli/figures.h"
#include "lineage/model_json.h"
#include "lineage/query_tree.h"

namespace reprise {

namespace {

std::string Indented(const std::string& text, int depth) {
  return std::string(2 * static_cast<size_t>(depth), ' ') + text;
}

std::vector<std::string> VerdictsOf(const OperatorNode& node) {
  if (!node.explained) return {"did not run"};
  std::vector<std::string> verdicts;
  if (node.native) verdicts.emplace_back("yes");
  for (const std::string& reason : node.reasons) {
    verdicts.push_back((node.native ? "guest: " : "no: ") + reason);
  }
  if (verdicts.empty()) verdicts.emplace_back("no");
  return verdicts;
}

void PrintQuery(const LogModel& model, const ExplainedQuery& query, bool not_native) {
  TextTable table(
      {{"LORE id", true}, {"operator"}, {"name#occurrence"}, {"fingerprint"}, {"native"}});
  const QueryTree tree = BuildQueryTree(model, query);
  std::vector<std::pair<int64_t, int>> open;  // operators and their depths, the next one last
  for (const auto& [lore_id, node] : tree) {
    if (node.parent == 0) open.emplace_back(lore_id, 0);
  }
  std::ranges::reverse(open);
  while (!open.empty()) {
    const auto [lore_id, depth] = open.back();
    open.pop_back();
    const OperatorNode& node = tree.at(lore_id);
    std::vector<int64_t> children = node.children;
    std::ranges::sort(children, std::greater());
    for (const int64_t child : children) open.emplace_back(child, depth + 1);
    if (not_native && ((node.native && node.reasons.empty()) || !node.explained)) continue;
    const std::vector<std::string> verdicts = VerdictsOf(node);
    table.Add({std::to_string(lore_id), Indented(node.name, depth), node.occurrence,
               node.fingerprint, verdicts.front()});
    // Each further reason has a line of its own.
    for (size_t i = 1; i < verdicts.size(); ++i) table.Add({"", "", "", "", verdicts[i]});
  }
  fmt::print("{}", table.ToString(2));
}

// As Spark counts it: sizes in bytes, times in milliseconds or nanoseconds.
std::string MetricText(const LoggedMetric& metric, int64_t value) {
  if (metric.type == "size") return ByteText(value);
  if (metric.type == "timing") return MillisecondText(value);
  if (metric.type == "nsTiming") return DurationText(value);
  return Thousands(value);
}

// What an operator's tasks and the driver counted: "number of output rows 1,000, sort time 35 ms".
// Of rows a zero tells something. An average of averages says nothing.
std::string MetricsText(const LogModel& model, const LoggedOperator& node) {
  std::string text;
  for (const LoggedMetric& metric : node.metrics) {
    const std::optional<int64_t> value = model.ValueOf(metric);
    if (!value || metric.type == "average") continue;
    if (*value <= 0 && metric.name != "number of output rows") continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", metric.name,
                        MetricText(metric, std::max<int64_t>(*value, 0)));
  }
  return text;
}

// Spark's text of an operator begins with its name and says its tables, keys and conditions.
void PrintPlan(const LogModel& model, const std::vector<LoggedOperator>& plan) {
  TextTable table({{"LORE id", true}, {"operator"}});
  for (const LoggedOperator& node : plan) {
    table.Add({node.lore_id ? std::to_string(*node.lore_id) : "",
               Indented(node.text.empty() ? node.name : node.text, node.depth)});
    const std::string metrics = MetricsText(model, node);
    if (!metrics.empty()) table.Add({"", Indented("  : " + metrics, node.depth)});
  }
  fmt::print("{}", table.ToString(2));
}

void PrintExecution(const LogModel& model, const SqlExecution& execution, bool not_native) {
  const std::vector<const ExplainedQuery*> queries = QueriesOf(model, execution.id);
  if (execution.id < 0) {
    fmt::print("Outside of SQL executions, as what fills a cache:\n");
  } else {
    PrintText(fmt::format("SQL {}: {}\n", execution.id, FirstLine(execution.description)));
  }
  if (!execution.error.empty()) {
    PrintText(fmt::format("  failed: {}\n", FirstLine(execution.error)));
  }
  if (queries.empty()) {
    fmt::print(
        "  The log holds no event of Reprise about it: it ran without the plug-in, or with one that"
        " was switched off.\n  Spark's own plan:\n");
    PrintPlan(model, execution.plan);
  }
  for (size_t i = 0; i < queries.size(); ++i) {
    if (i > 0) fmt::print("\n");
    PrintQuery(model, *queries[i], not_native);
  }
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
    if (id < 0 && QueriesOf(log.model, id).empty()) continue;
    if (options.json) {
      json["sql"].push_back(ToJson(log.model, execution));
      continue;
    }
    fmt::print("{}", first ? "" : "\n");
    first = false;
    PrintExecution(log.model, execution, options.not_native);
  }
  if (options.json) {
    fmt::print("{}\n", json.dump(2));
  } else if (executions.empty()) {
    fmt::print("The log tells of no SQL query.\n");
  }
  return kExitDone;
}

}  // namespace reprise
