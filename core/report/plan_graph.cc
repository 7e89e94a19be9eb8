#include "report/plan_graph.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/longest_alignment.h"
#include "lineage/query_tree.h"

namespace reprise {

namespace {

constexpr double kNanosecondsPerMs = 1e6;

bool HoldsTogether(std::string_view name) {
  return name == "AdaptiveSparkPlan" || name == "InputAdapter" || name == "AQEShuffleRead" ||
         name.starts_with("WholeStageCodegen") || name.ends_with("QueryStage");
}

std::string OperatorName(std::string_view name) {
  constexpr std::string_view kPrefix = "Reprise";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  if (name == "Exchange") return "ShuffleExchange";
  return std::string(name.substr(0, name.find_last_not_of(' ') + 1));
}

// Whether Spark's name of a node can be that of an explained operator: scans are called by what
// they read.
bool IsNamed(const GraphNode& node, const OperatorNode& explained) {
  const auto scans = [](const std::string& name) { return name.find("Scan") != std::string::npos; };
  const std::string& name = explained.name;
  if (scans(name)) return scans(node.operator_name);
  return node.operator_name == name || node.operator_name.starts_with(name + " ");
}

// Operators that Spark runs show no LORE id. They stand in the order of pre-order in both, between
// native ones that show theirs, so that the longest common sequence of names joins them.
class Alignment {
 public:
  Alignment(PlanGraph* graph, const QueryTree& tree) : graph_(*graph) {
    for (const auto& [id, node] : tree) {
      if (node.explained) explained_.emplace_back(id, &node);
    }
  }

  void Join() {
    const auto weight = [&](size_t i, size_t j) { return Weight(i, j); };
    for (const auto& [i, j] : LongestAlignment(graph_.size(), explained_.size(), weight)) {
      if (i >= 0 && j >= 0) Take(&graph_[i], explained_[j].first, *explained_[j].second);
    }
  }

 private:
  // An id that both have outweighs any number of names.
  int Weight(size_t i, size_t j) const {
    const auto& [id, explained] = explained_[j];
    if (graph_[i].logged->lore_id) {
      return *graph_[i].logged->lore_id == id ? 1000 : 0;
    }
    return IsNamed(graph_[i], *explained) ? 1 : 0;
  }

  static void Take(GraphNode* node, int64_t id, const OperatorNode& explained) {
    node->lore_id = id;
    node->reasons = explained.reasons;
    if (!explained.native) return;
    node->runs = explained.reasons.empty() ? RunsIn::kNative : RunsIn::kGuest;
  }

  PlanGraph& graph_;
  std::vector<std::pair<int64_t, const OperatorNode*>> explained_;
};

PlanGraph Skeleton(const LogModel& model, const std::vector<LoggedOperator>& plan) {
  PlanGraph graph;
  std::vector<std::pair<int, int>> open;  // depth in the log, index in the graph (-1: left out)
  for (const LoggedOperator& each : plan) {
    while (!open.empty() && open.back().first >= each.depth) open.pop_back();
    int parent = open.empty() ? -1 : open.back().second;
    // Below what is left out several may stand: the first is the plan, the others are its
    // subqueries.
    if (parent < 0 && !graph.empty()) parent = 0;
    if (HoldsTogether(each.name)) {
      open.emplace_back(each.depth, parent);
      continue;
    }
    GraphNode& node = graph.emplace_back();
    node.logged = &each;
    node.parent = parent;
    node.operator_name = OperatorName(each.name);
    node.lore_id = each.lore_id.value_or(0);
    if (each.name.starts_with("Reprise")) node.runs = RunsIn::kNative;
    node.rows = node.Metric(model, "number of output rows");
    if (node.rows < 0) node.rows = node.Metric(model, "shuffle records written");
    for (const char* name : {"data size", "size of output", "size of files read"}) {
      if (node.bytes < 0) node.bytes = node.Metric(model, name);
    }
    open.emplace_back(each.depth, static_cast<int>(graph.size()) - 1);
  }
  return graph;
}

// Of operators of which nothing later is known it tells what was foretold.
PlanGraph Explained(const LogModel& model, const SqlExecution& execution,
                    const std::vector<LoggedOperator>& plan) {
  PlanGraph graph = Skeleton(model, plan);
  for (const ExplainedQuery* told : QueriesToldOf(model, execution.id)) {
    ExplainedQuery query = *told;
    query.operators.insert(query.foretold.begin(), query.foretold.end());
    Alignment(&graph, BuildQueryTree(model, query)).Join();
  }
  return graph;
}

// By the metrics that a stage's tasks have counted. Operators without any run where what they are
// compiled together with does: where their consumer or, above an exchange, what they read does.
void PlaceInStages(const std::vector<const Stage*>& stages, PlanGraph* graph) {
  for (GraphNode& node : *graph) {
    for (const Stage* stage : stages) {
      const bool runs = std::ranges::any_of(node.logged->metrics, [&](const LoggedMetric& metric) {
        return std::ranges::binary_search(stage->accumulators, metric.accumulator);
      });
      if (runs) node.stages.push_back(stage->id);
    }
    // What reads an exchange counts its blocks on the exchange's metrics.
    if (IsExchange(node) && node.stages.size() > 1) {
      node.stages.erase(node.stages.begin() + 1, node.stages.end());
    }
  }
  for (size_t i = graph->size(); i-- > 0;) {  // children first
    GraphNode& node = (*graph)[i];
    if (node.parent < 0 || node.stages.empty() || IsExchange(node)) continue;
    GraphNode& parent = (*graph)[node.parent];
    if (parent.stages.empty() && parent.logged->metrics.empty()) parent.stages = node.stages;
  }
  for (GraphNode& node : *graph) {
    if (!node.stages.empty() || !node.logged->metrics.empty() || node.parent < 0) continue;
    const GraphNode& parent = (*graph)[node.parent];
    if (!IsExchange(parent)) node.stages = parent.stages;
  }
}

// Milliseconds that Spark itself has measured of an operator alone.
double MeasuredMs(const LogModel& model, const GraphNode& node) {
  double ms = 0;
  for (const LoggedMetric& metric : node.logged->metrics) {
    constexpr std::string_view kOwn[] = {"sort time", "scan time", "time to run Python workers",
                                         "shuffle write time"};
    if (std::ranges::find(kOwn, metric.name) == std::end(kOwn)) continue;
    const auto value = static_cast<double>(model.ValueOf(metric).value_or(0));
    ms += metric.type == "nsTiming" ? value / kNanosecondsPerMs : value;
  }
  return ms;
}

double SumMs(const LogModel& model, const GraphNode& node,
             std::initializer_list<std::string_view> metrics) {
  double ms = 0;
  for (const std::string_view name : metrics) {
    ms += static_cast<double>(std::max<int64_t>(node.Metric(model, name), 0));
  }
  return ms;
}

bool IsBroadcast(const GraphNode& node) {
  return node.operator_name == "BroadcastExchange" || node.operator_name.starts_with("Subquery");
}

// Each stage's time, less what is measured, is shared by Spark's operators as rows go into them.
void ShareTime(const LogModel& model, const std::vector<const Stage*>& stages, PlanGraph* graph) {
  for (GraphNode& node : *graph) {
    const int64_t own = node.Metric(model, "own time");
    if (own >= 0) {
      node.task_ms = static_cast<double>(own) / kNanosecondsPerMs;
    } else if (IsBroadcast(node)) {
      // To collect it is to run what it reads, which has times of its own.
      node.task_ms = SumMs(model, node, {"time to build", "time to broadcast"});
    } else {
      node.task_ms = MeasuredMs(model, node);
      node.estimated = true;
    }
  }
  for (const Stage* stage : stages) {
    double rest = 0;
    for (const StageAttempt& attempt : stage->attempts) {
      rest += static_cast<double>(attempt.tasks.figures().run_ms);
    }
    std::vector<std::pair<int, double>> shares;
    for (int i = 0; i < static_cast<int>(graph->size()); ++i) {
      const GraphNode& node = (*graph)[i];
      if (node.stages.empty() || node.stages.front() != stage->id || IsBroadcast(node)) continue;
      rest -= node.task_ms;
      if (!node.estimated) continue;
      const int64_t rows = std::max<int64_t>({RowsInto(*graph, i), node.rows, 1});
      shares.emplace_back(i, static_cast<double>(rows));
    }
    const double rows =
        std::accumulate(shares.begin(), shares.end(), 0.0,
                        [](double sum, const auto& each) { return sum + each.second; });
    for (const auto& [i, share] : shares) {
      (*graph)[i].task_ms += std::max(rest, 0.0) * share / rows;
    }
  }
}

}  // namespace

std::string_view NameOf(RunsIn runs) {
  constexpr std::string_view kNames[] = {"native", "guest", "spark", "nothing"};
  return kNames[static_cast<size_t>(runs)];
}

int64_t GraphNode::Metric(const LogModel& model, std::string_view name) const {
  for (const LoggedMetric& metric : logged->metrics) {
    if (metric.name == name) return model.ValueOf(metric).value_or(-1);
  }
  return -1;
}

PlanGraph BuildPlanGraph(const LogModel& model, const SqlExecution& execution,
                         const std::vector<const Stage*>& stages) {
  PlanGraph graph = Explained(model, execution, execution.plan);
  PlaceInStages(stages, &graph);
  ShareTime(model, stages, &graph);
  for (GraphNode& node : graph) {
    const bool counted = std::ranges::any_of(node.logged->metrics, [&](const LoggedMetric& metric) {
      return model.ValueOf(metric).has_value();
    });
    if (node.stages.empty() && !counted && !stages.empty()) node.runs = RunsIn::kNothing;
  }
  return graph;
}

PlanGraph BuildFirstPlanGraph(const LogModel& model, const SqlExecution& execution) {
  return Explained(model, execution, execution.first_plan);
}

std::vector<int> ChildrenOf(const PlanGraph& graph, int node) {
  std::vector<int> children;
  for (int i = node + 1; i < static_cast<int>(graph.size()); ++i) {
    if (graph[i].parent == node) children.push_back(i);
    if (graph[i].logged->depth <= graph[node].logged->depth) break;
  }
  return children;
}

int64_t RowsInto(const PlanGraph& graph, int node) {
  int64_t rows = -1;
  for (const int child : ChildrenOf(graph, node)) {
    const int64_t given = graph[child].rows >= 0 ? graph[child].rows : RowsInto(graph, child);
    if (given >= 0) rows = std::max<int64_t>(rows, 0) + given;
  }
  return rows;
}

double BroadcastMs(const LogModel& model, const GraphNode& node) {
  return SumMs(model, node, {"time to collect", "time to build", "time to broadcast"});
}

bool IsJoin(const GraphNode& node) {
  return node.operator_name.ends_with("Join") || node.operator_name == "CartesianProduct";
}

bool IsExchange(const GraphNode& node) {
  return node.operator_name == "ShuffleExchange" || node.operator_name == "BroadcastExchange";
}

}  // namespace reprise
