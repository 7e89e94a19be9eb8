// What a report tells of an application: its queries' plans as they ran, its stages, and findings.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/finding.h"
#include "report/plan_graph.h"

namespace reprise {

struct ReportedQuery {
  const SqlExecution* execution = nullptr;
  PlanGraph plan;
  PlanGraph first_plan;         ///< empty where adaptive execution changed nothing
  std::vector<int64_t> jobs;    //
  std::vector<int64_t> stages;  ///< that ran
  int64_t wall_ms = 0;          ///< to its end, or to the log's
  double native_ms = 0;         ///< task time of native operators, their guests too
  double spark_ms = 0;          ///< task time of Spark's operators
  bool has_plugin = false;      ///< the plug-in has told of it
};

struct Report {
  const LogModel& model;
  std::string log;      ///< where it was read, for commands to take along
  int64_t last_ms = 0;  ///< when the log ends
  int64_t cores = 0;    ///< most that the application had at once; 0: not told
  std::vector<ReportedQuery> queries;
  std::map<int64_t, size_t> query_of_stage;  ///< indices in `queries`
  Findings findings;

  /// The query that a stage ran for; nullptr: none.
  const ReportedQuery* QueryOf(int64_t stage) const;
  /// What the session of a query has set, or the application began with; "" for neither.
  std::string Setting(const std::string& name, const ReportedQuery* query) const;
};

/// A query as it ran so far, without findings. `model` and `execution` outlive it.
ReportedQuery DescribeQuery(const LogModel& model, const SqlExecution& execution);

/// `model` outlives the report; `log` is where it was read.
Report BuildReport(const LogModel& model, const std::string& log);

/// Milliseconds from the application's start to the log's last event.
int64_t WallMs(const Report& report);

/// Milliseconds from a stage attempt's start to its end; 0 while it runs.
int64_t WallMs(const StageAttempt& attempt);

/// Of its tasks that did their work, from launch to end, together.
double DoneMs(const StageAttempt& attempt);

/// How many of an attempt's tasks ran at once, on average; at least 1.
double Parallelism(const StageAttempt& attempt);

}  // namespace reprise
