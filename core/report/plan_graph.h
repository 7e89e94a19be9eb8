// The plan of a query as it ran, operator by operator: who ran each, in which stages, how long, and
// what it gave. Spark's last description of the plan is joined with what the plug-in has told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eventlog/log_model.h"

namespace reprise {

enum class RunsIn {
  kNative,
  kGuest,   ///< native, with expressions that Spark evaluates
  kSpark,   //
  kNothing  ///< it did not run: its stage was skipped, or another plan took its place
};
std::string_view NameOf(RunsIn runs);

struct GraphNode {
  const LoggedOperator* logged = nullptr;
  int parent = -1;      ///< index in the graph; -1: the root
  int64_t lore_id = 0;  ///< 0: not known
  std::string
      operator_name;  ///< without "Reprise" and what Spark adds: "HashAggregate", "Scan csv"
  RunsIn runs = RunsIn::kSpark;
  std::vector<std::string> reasons;  ///< why it does not run natively; where it does, of its guests
  std::vector<int64_t> stages;       ///< that ran it, by its metrics; sorted
  double task_ms = 0;                ///< of all tasks together
  /// Spark measures few operators: what its stages' tasks took is divided by rows among the others.
  bool estimated = false;
  int64_t rows = -1;   ///< that it gave; -1: not counted
  int64_t bytes = -1;  ///< that it gave, or an exchange moved; -1: not counted

  /// What the log has of a metric; -1 where it has nothing.
  int64_t Metric(const LogModel& model, std::string_view name) const;
};

/// In pre-order. What only holds others together (AdaptiveSparkPlan, WholeStageCodegen, stages of
/// the query) is left out.
using PlanGraph = std::vector<GraphNode>;

/// Of the last plan of a query that ran `stages`. Of what has not run it says what was foretold.
PlanGraph BuildPlanGraph(const LogModel& model, const SqlExecution& execution,
                         const std::vector<const Stage*>& stages);
/// Of the plan before adaptive execution changed it, without figures; empty where it changed
/// nothing.
PlanGraph BuildFirstPlanGraph(const LogModel& model, const SqlExecution& execution);

/// Indices of the nodes that it reads.
std::vector<int> ChildrenOf(const PlanGraph& graph, int node);

/// Rows that go into a node: what those below it that count have given; -1: none counted.
int64_t RowsInto(const PlanGraph& graph, int node);

/// Milliseconds in which a broadcast of Spark's, or of ours, was collected, built and sent.
double BroadcastMs(const LogModel& model, const GraphNode& node);

bool IsJoin(const GraphNode& node);
bool IsExchange(const GraphNode& node);

}  // namespace reprise
