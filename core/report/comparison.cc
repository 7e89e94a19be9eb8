#include "report/comparison.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/longest_alignment.h"
#include "lineage/query_tree.h"

namespace reprise {

namespace {

// The plan that Spark made first: the plug-in and adaptive execution change it in each run by what
// they see.
const std::vector<LoggedOperator>& FirstPlan(const ReportedQuery& query) {
  const SqlExecution& execution = *query.execution;
  return execution.first_plan.empty() ? execution.plan : execution.first_plan;
}

// Without "Location: …[…]" and "[loreId=…]".
std::string WithoutPlaces(std::string text) {
  for (const char* place : {"Location: ", " [loreId="}) {
    const size_t begin = text.find(place);
    if (begin == std::string::npos) continue;
    const size_t end = text.find(']', begin);
    text.erase(begin, end == std::string::npos ? end : end + 1 - begin);
  }
  return text;
}

std::string TextOfPlan(const ReportedQuery& query) {
  std::string text;
  for (const LoggedOperator& each : FirstPlan(query)) {
    text += std::to_string(each.depth) + WithoutPlaces(WithoutNumbers(each.text)) + "\n";
  }
  return text;
}

std::string NamesOfPlan(const ReportedQuery& query) {
  std::string text = query.execution->description + "\n";
  for (const GraphNode& node : query.plan) {
    if (!IsTransition(node)) text.append(NameInAnyRun(node)) += "\n";
  }
  return text;
}

std::string Description(const ReportedQuery& query) { return query.execution->description; }

using Queries = std::vector<const ReportedQuery*>;

Queries QueriesOf(const Report& report) {
  Queries queries;
  for (const ReportedQuery& query : report.queries) queries.push_back(&query);
  return queries;
}

// Pairs those that are called the same, in the order in which they ran; takes them out.
void Pair(const std::function<std::string(const ReportedQuery&)>& called, Queries* left,
          Queries* right, std::vector<ComparedQuery>* pairs) {
  std::map<std::string, Queries> by_name;
  for (const ReportedQuery* query : *right) by_name[called(*query)].push_back(query);
  std::map<std::string, size_t> taken;
  std::set<const ReportedQuery*> paired;
  for (const ReportedQuery* query : *left) {
    const std::string name = called(*query);
    const auto found = by_name.find(name);
    if (found == by_name.end() || taken[name] >= found->second.size()) continue;
    const ReportedQuery* other = found->second[taken[name]++];
    pairs->push_back(
        {.left = query, .right = other, .operators = {}, .same_plan = true, .settings = {}});
    paired.insert({query, other});
  }
  for (Queries* queries : {left, right}) {
    std::erase_if(*queries, [&](const ReportedQuery* query) { return paired.contains(query); });
  }
}

// By names: both plans are in pre-order.
std::vector<ComparedOperator> PairOperators(const PlanGraph& left, const PlanGraph& right) {
  const auto same = [&](size_t i, size_t j) {
    return NameInAnyRun(left[i]) == NameInAnyRun(right[j]) ? 1 : 0;
  };
  std::vector<ComparedOperator> pairs;
  for (const auto& [i, j] : LongestAlignment(left.size(), right.size(), same)) {
    pairs.push_back({.left = i,
                     .right = j,
                     .left_ms = i < 0 ? 0 : left[i].task_ms,
                     .right_ms = j < 0 ? 0 : right[j].task_ms});
  }
  return pairs;
}

// What is each run's own, and says nothing of why it was slower.
bool IsOfOneRun(const std::string& name) {
  constexpr std::string_view kOwn[] = {
      "spark.app.",         "spark.driver.host", "spark.driver.port",
      "spark.eventLog.dir", "spark.local.dir",   "spark.sql.warehouse.dir",
      "spark.repl.",        "spark.yarn.",       "spark.executor.id"};
  return std::ranges::any_of(kOwn, [&](auto own) { return name.starts_with(own); });
}

std::vector<ComparedSetting> Differences(const std::map<std::string, std::string>& left,
                                         const std::map<std::string, std::string>& right) {
  std::map<std::string, ComparedSetting> all;
  for (const auto& [name, value] : left) all[name].left = value;
  for (const auto& [name, value] : right) all[name].right = value;
  std::vector<ComparedSetting> differences;
  for (auto& [name, setting] : all) {
    if (setting.left == setting.right || IsOfOneRun(name)) continue;
    setting.name = name;
    differences.push_back(std::move(setting));
  }
  return differences;
}

void Describe(ComparedQuery* pair) {
  pair->operators = PairOperators(pair->left->plan, pair->right->plan);
  pair->same_plan = std::ranges::all_of(pair->operators, [&](const ComparedOperator& each) {
    if (each.left >= 0 && each.right >= 0) return true;
    return IsTransition(each.left >= 0 ? pair->left->plan[each.left]
                                       : pair->right->plan[each.right]);
  });
  std::ranges::stable_sort(pair->operators, std::greater(), &ComparedOperator::MoreMs);
  pair->settings = Differences(pair->left->execution->settings, pair->right->execution->settings);
}

}  // namespace

std::string_view NameInAnyRun(const GraphNode& node) {
  const std::string_view name = node.operator_name;
  if (name.find("Scan") != std::string_view::npos) return "Scan";
  return name == "TakeOrdered" ? "TakeOrderedAndProject" : name;
}

bool IsTransition(const GraphNode& node) {
  const std::string& name = node.operator_name;
  return name == "ColumnarToRow" || name == "RowToNative" || name == "NativeToRow" ||
         name.ends_with("Read") || name == "GuestProject";
}

RunComparison CompareRuns(const Report& left, const Report& right) {
  RunComparison comparison{.left = left,
                           .right = right,
                           .queries = {},
                           .only_left = QueriesOf(left),
                           .only_right = QueriesOf(right),
                           .settings = Differences(left.model.settings(), right.model.settings())};
  for (const auto& called : {TextOfPlan, NamesOfPlan, Description}) {
    Pair(called, &comparison.only_left, &comparison.only_right, &comparison.queries);
  }
  for (ComparedQuery& pair : comparison.queries) Describe(&pair);
  std::ranges::stable_sort(comparison.queries, std::greater(), &ComparedQuery::MoreMs);
  return comparison;
}

}  // namespace reprise
