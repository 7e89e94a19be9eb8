#include "report/report.h"

#include <algorithm>
#include <numeric>

#include "lineage/query_tree.h"

namespace reprise {

namespace {

int64_t LastMs(const LogModel& model) {
  int64_t last = std::max(model.started(), model.ended());
  for (const auto& [id, job] : model.jobs()) last = std::max({last, job.started, job.ended});
  for (const auto& [id, execution] : model.executions()) {
    last = std::max({last, execution.started, execution.ended});
  }
  for (const auto& [id, stage] : model.stages()) {
    for (const StageAttempt& attempt : stage.attempts) {
      last = std::max({last, attempt.submitted, attempt.completed});
    }
  }
  return last;
}

int64_t CoresAtOnce(const std::vector<Executor>& executors) {
  int64_t most = 0;
  for (const Executor& from : executors) {
    int64_t cores = 0;
    for (const Executor& other : executors) {
      const bool there =
          other.added <= from.added && (other.removed == 0 || other.removed > from.added);
      if (there) cores += other.cores;
    }
    most = std::max(most, cores);
  }
  return most;
}

void AddJob(const LogModel& model, const Job& job, ReportedQuery* query) {
  query->jobs.push_back(job.id);
  for (const int64_t stage : job.stages) {
    const auto known = model.stages().find(stage);
    if (known != model.stages().end() && !known->second.attempts.empty()) {
      query->stages.push_back(stage);
    }
  }
}

// Its jobs are added.
void Describe(const LogModel& model, int64_t last_ms, ReportedQuery* of) {
  ReportedQuery& query = *of;
  const SqlExecution& execution = *query.execution;
  std::ranges::sort(query.stages);
  const auto rest = std::ranges::unique(query.stages);
  query.stages.erase(rest.begin(), rest.end());
  std::vector<const Stage*> stages;
  for (const int64_t id : query.stages) stages.push_back(&model.stages().at(id));
  query.plan = BuildPlanGraph(model, execution, stages);
  query.first_plan = BuildFirstPlanGraph(model, execution);
  query.has_plugin = !QueriesOf(model, execution.id).empty();
  const int64_t end = execution.ended > 0 ? execution.ended : last_ms;
  query.wall_ms = execution.started > 0 ? std::max<int64_t>(end - execution.started, 0) : 0;
  for (const GraphNode& node : query.plan) {
    (node.runs == RunsIn::kSpark ? query.spark_ms : query.native_ms) += node.task_ms;
  }
}

}  // namespace

const ReportedQuery* Report::QueryOf(int64_t stage) const {
  const auto found = query_of_stage.find(stage);
  return found == query_of_stage.end() ? nullptr : &queries[found->second];
}

std::string Report::Setting(const std::string& name, const ReportedQuery* query) const {
  if (query != nullptr) {
    const auto own = query->execution->settings.find(name);
    if (own != query->execution->settings.end()) return own->second;
  }
  const auto found = model.settings().find(name);
  return found == model.settings().end() ? "" : found->second;
}

ReportedQuery DescribeQuery(const LogModel& model, const SqlExecution& execution) {
  ReportedQuery query;
  query.execution = &execution;
  for (const auto& [id, job] : model.jobs()) {
    if (job.execution == execution.id) AddJob(model, job, &query);
  }
  Describe(model, LastMs(model), &query);
  return query;
}

Report BuildReport(const LogModel& model, const std::string& log) {
  Report report{.model = model,
                .log = log,
                .last_ms = LastMs(model),
                .cores = CoresAtOnce(model.executors()),
                .queries = {},
                .query_of_stage = {},
                .findings = {}};
  std::map<int64_t, size_t> by_execution;
  for (const auto& [id, execution] : model.executions()) {
    if (id < 0) continue;  // what fills caches runs within other queries
    by_execution[id] = report.queries.size();
    report.queries.emplace_back().execution = &execution;
  }
  for (const auto& [id, job] : model.jobs()) {
    const auto found = by_execution.find(job.execution);
    if (found != by_execution.end()) AddJob(model, job, &report.queries[found->second]);
  }
  for (size_t i = 0; i < report.queries.size(); ++i) {
    Describe(model, report.last_ms, &report.queries[i]);
    for (const int64_t stage : report.queries[i].stages) report.query_of_stage.emplace(stage, i);
  }
  report.findings = FindAll(report);
  return report;
}

int64_t WallMs(const Report& report) {
  return std::max<int64_t>(report.last_ms - report.model.started(), 0);
}

int64_t WallMs(const StageAttempt& attempt) {
  if (attempt.completed == 0 || attempt.submitted == 0) return 0;
  return std::max<int64_t>(attempt.completed - attempt.submitted, 0);
}

double DoneMs(const StageAttempt& attempt) {
  const auto& durations = attempt.tasks.durations_ms();
  return std::accumulate(durations.begin(), durations.end(), 0.0);
}

double Parallelism(const StageAttempt& attempt) {
  const double total = DoneMs(attempt) + static_cast<double>(attempt.tasks.lost_ms());
  const auto wall = static_cast<double>(WallMs(attempt));
  return wall > 0 ? std::max(total / wall, 1.0) : 1.0;
}

}  // namespace reprise
