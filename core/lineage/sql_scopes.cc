#include "lineage/sql_scopes.h"

#include <algorithm>
#include <set>

namespace reprise {

namespace {

using Plan = std::vector<LoggedOperator>;

bool Counts(const Stage& stage, const LoggedOperator& node) {
  return std::ranges::any_of(node.metrics, [&](const LoggedMetric& metric) {
    return std::ranges::binary_search(stage.accumulators, metric.accumulator);
  });
}

size_t EndOfSubtree(const Plan& plan, size_t at) {
  const int depth = plan[at].depth;
  size_t end = at + 1;
  while (end < plan.size() && plan[end].depth > depth) ++end;
  return end;
}

// Where a stage ends, or another piece of generated code begins.
bool IsBoundary(const std::string& name) {
  static const std::set<std::string, std::less<>> kBoundaries = {
      "InputAdapter", "AQEShuffleRead", "ReusedExchange", "Subquery", "SubqueryBroadcast"};
  return kBoundaries.contains(name) || name.ends_with("Exchange") || name.ends_with("QueryStage");
}

// Whether an operator below, in the same piece, counts something in the stage.
bool CountsBelow(const Stage& stage, const Plan& plan, size_t at) {
  for (size_t i = at + 1; i < EndOfSubtree(plan, at); ++i) {
    if (IsBoundary(plan[i].name)) break;
    if (Counts(stage, plan[i])) return true;
  }
  return false;
}

// Metrics of what generated code holds are counted in the stage, those of the code itself (its
// duration) too; of other operators, one that counts nothing is told by nothing.
bool CountsIn(const Stage& stage, const Plan& plan, size_t at) {
  return Counts(stage, plan[at]) ||
         (plan[at].name.starts_with("WholeStageCodegen") && CountsBelow(stage, plan, at));
}

bool IsNativeExchange(const std::string& name) {
  return name.starts_with("Reprise") && name.ends_with("Exchange");
}

bool ReadsShuffle(const Stage& stage, const Rdd& rdd) {
  return std::ranges::any_of(
      rdd.parents, [&](int64_t parent) { return std::ranges::count(stage.rdds, parent) == 0; });
}

std::vector<size_t> NodesOf(const Stage& stage, const Plan& plan, const Rdd& rdd) {
  std::vector<size_t> named;
  std::vector<size_t> counted;
  std::vector<size_t> exchanging;  // in the direction of the RDD
  for (size_t i = 0; i < plan.size(); ++i) {
    if (plan[i].name != rdd.scope_name) continue;
    named.push_back(i);
    if (!CountsIn(stage, plan, i)) continue;
    counted.push_back(i);
    // It runs what is below it in the stage that writes.
    if (IsNativeExchange(rdd.scope_name) &&
        CountsBelow(stage, plan, i) != ReadsShuffle(stage, rdd)) {
      exchanging.push_back(i);
    }
  }
  return !exchanging.empty() ? exchanging : counted.empty() ? named : counted;
}

// The node and what is below it in the same piece.
std::vector<size_t> PieceOf(const Plan& plan, size_t at, bool whole,
                            const std::set<std::string>& scopes) {
  std::vector<size_t> piece = {at};
  const size_t end = whole ? EndOfSubtree(plan, at) : at;
  for (size_t i = at + 1; i < end;) {
    if (IsBoundary(plan[i].name) || scopes.contains(plan[i].name)) {
      i = EndOfSubtree(plan, i);
    } else {
      piece.push_back(i++);
    }
  }
  return piece;
}

std::string Described(const Plan& plan, const std::vector<size_t>& nodes) {
  std::string ids;
  for (const size_t node : nodes) {
    if (!plan[node].lore_id) continue;
    ids += fmt::format("{}{}", ids.empty() ? "" : " or ", *plan[node].lore_id);
  }
  const std::string& name = plan[nodes.front()].name;
  return ids.empty() ? name : fmt::format("{} [loreId={}]", name, ids);
}

}  // namespace

const SqlExecution* ExecutionOf(const LogModel& model, const Stage& stage) {
  for (const int64_t id : stage.jobs) {
    const auto job = model.jobs().find(id);
    if (job == model.jobs().end()) continue;
    const auto execution = model.executions().find(job->second.execution);
    if (execution != model.executions().end()) return &execution->second;
  }
  return nullptr;
}

std::vector<std::string> OperatorsOfScope(const LogModel& model, const Stage& stage,
                                          const Rdd& rdd) {
  const SqlExecution* execution = ExecutionOf(model, stage);
  if (execution == nullptr) return {};
  const Plan& plan = execution->plan;
  const std::vector<size_t> nodes = NodesOf(stage, plan, rdd);
  if (nodes.empty()) return {};
  if (nodes.size() > 1) return {Described(plan, nodes)};
  std::set<std::string> scopes;
  for (const int64_t id : stage.rdds) {
    const auto known = model.rdds().find(id);
    if (known != model.rdds().end()) scopes.insert(known->second.scope_name);
  }
  const size_t node = nodes.front();
  const bool whole =
      !IsBoundary(rdd.scope_name) || (IsNativeExchange(rdd.scope_name) &&
                                      !ReadsShuffle(stage, rdd) && CountsBelow(stage, plan, node));
  std::vector<std::string> operators;
  for (const size_t each : PieceOf(plan, node, whole, scopes)) {
    // Generated code is no operator: it is already the scope's name.
    if (each == node && plan[each].name.starts_with("WholeStageCodegen")) continue;
    operators.push_back(Described(plan, {each}));
  }
  return operators;
}

}  // namespace reprise
