// What the plug-in would make of an application that ran without it.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "qualify/native_cost.h"
#include "report/report.h"

namespace reprise {

/// Milliseconds, with how sure that is.
struct Estimate {
  double least = 0;
  double expected = 0;
  double most = 0;
};

struct QualifiedQuery {
  const ReportedQuery* query = nullptr;
  std::vector<Forecast> operators;  ///< one for each node of the query's plan
  FamilyTimes task_ms = {};         ///< on Spark
  double native_share = 0;          ///< of its task time: that of operators that would be native
  double tasks_wall_ms = 0;         ///< of its wall time, while tasks of its stages ran
  Estimate wall_ms;                 ///< with the plug-in
};

/// What keeps operators from running natively, or has Spark evaluate a part of them.
struct Obstacle {
  std::string reason;
  RunsIn runs = RunsIn::kSpark;
  int64_t operators = 0;
  double seconds = 0;  ///< of wall time, that native operators would save
  const ReportedQuery* query = nullptr;
  int node = -1;  ///< of the query where it costs most
};

struct Qualification {
  const Report& report;
  double wall_ms = 0;       ///< of the application, from its start to its end
  double query_ms = 0;      ///< of it, while a query ran
  double native_share = 0;  ///< of the task time of all jobs
  Estimate native_wall_ms;  ///< of the application with the plug-in
  std::vector<QualifiedQuery> queries;
  std::vector<Obstacle> obstacles;  ///< the one that costs most first
};

/// `report` outlives it. Fails where the plug-in has run in the application.
Result<Qualification> Qualify(const Report& report);

/// How many times as fast: wall time against that with the plug-in.
double Speedup(double wall_ms, double native_wall_ms);

}  // namespace reprise
