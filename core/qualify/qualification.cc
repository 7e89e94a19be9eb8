#include "qualify/qualification.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "report/looking.h"

namespace reprise {

namespace {

struct Span {
  int64_t begin = 0;
  int64_t end = 0;
};

// Of spans that may lie over each other, the time that any covers.
double Covered(std::vector<Span> spans) {
  std::ranges::sort(spans, {}, &Span::begin);
  int64_t covered = 0;
  int64_t until = 0;
  for (const Span& span : spans) {
    covered += std::max<int64_t>(span.end - std::max(span.begin, until), 0);
    until = std::max(until, span.end);
  }
  return static_cast<double>(covered);
}

double TasksWallMs(const Report& report, const ReportedQuery& query) {
  std::vector<Span> spans;
  for (const int64_t id : query.stages) {
    for (const StageAttempt& attempt : report.model.stages().at(id).attempts) {
      if (WallMs(attempt) > 0) spans.push_back({attempt.submitted, attempt.completed});
    }
  }
  return std::min(Covered(std::move(spans)), static_cast<double>(query.wall_ms));
}

double Sum(const FamilyTimes& times) { return std::accumulate(times.begin(), times.end(), 0.0); }

Estimate Around(double ms, double spread) {
  return {.least = ms * (1 - spread), .expected = ms, .most = ms * (1 + spread)};
}

QualifiedQuery QualifyQuery(const Report& report, const ReportedQuery& query) {
  QualifiedQuery qualified;
  qualified.query = &query;
  qualified.operators = WouldRun(query.plan, report.model.spark_version());
  for (size_t i = 0; i < query.plan.size(); ++i) {
    const CostFamily family = FamilyOf(query.plan[i], qualified.operators[i]);
    qualified.task_ms[static_cast<size_t>(family)] += query.plan[i].task_ms;
  }
  const double total = Sum(qualified.task_ms);
  const double spark = qualified.task_ms[static_cast<size_t>(CostFamily::kSpark)];
  qualified.native_share = total > 0 ? (total - spark) / total : 0;
  qualified.tasks_wall_ms = TasksWallMs(report, query);
  const double rest = static_cast<double>(query.wall_ms) - qualified.tasks_wall_ms;
  qualified.wall_ms =
      Around(rest + qualified.tasks_wall_ms * (total > 0 ? NativeMs(qualified.task_ms) / total : 1),
             Spread(1) * qualified.native_share);
  return qualified;
}

// Of the application's task time, that of operators that would be native.
double NativeShare(const Report& report, const std::vector<QualifiedQuery>& queries) {
  double all = 0;
  for (const auto& [id, stage] : report.model.stages()) {
    for (const StageAttempt& attempt : stage.attempts) all += DoneMs(attempt);
  }
  double native = 0;
  for (const QualifiedQuery& each : queries) native += each.native_share * Sum(each.task_ms);
  return all > 0 ? std::min(native / all, 1.0) : 0;
}

void AddObstacles(const QualifiedQuery& qualified, std::map<std::string, Obstacle>* obstacles) {
  const ReportedQuery& query = *qualified.query;
  const double total = Sum(qualified.task_ms);
  if (total <= 0) return;
  for (size_t i = 0; i < query.plan.size(); ++i) {
    const Forecast& forecast = qualified.operators[i];
    if (forecast.reason.empty()) continue;
    Forecast native = forecast;
    native.runs = RunsIn::kNative;
    FamilyTimes now = {};
    FamilyTimes then = {};
    now[static_cast<size_t>(FamilyOf(query.plan[i], forecast))] = query.plan[i].task_ms;
    then[static_cast<size_t>(FamilyOf(query.plan[i], native))] = query.plan[i].task_ms;
    const double saved_ms = NativeMs(now) - NativeMs(then);
    // What a neighbour is the reason for goes with it.
    Obstacle& obstacle = (*obstacles)[forecast.reason];
    obstacle.reason = forecast.reason;
    obstacle.runs = forecast.runs;
    ++obstacle.operators;
    obstacle.seconds += std::max(saved_ms, 0.0) / total * qualified.tasks_wall_ms / kMsPerSecond;
    if (obstacle.node < 0 ||
        obstacle.query->plan[static_cast<size_t>(obstacle.node)].task_ms < query.plan[i].task_ms) {
      obstacle.query = &query;
      obstacle.node = static_cast<int>(i);
    }
  }
}

}  // namespace

Result<Qualification> Qualify(const Report& report) {
  Qualification all{.report = report};
  all.wall_ms = static_cast<double>(WallMs(report));
  std::vector<Span> spans;
  std::map<std::string, Obstacle> obstacles;
  for (const ReportedQuery& query : report.queries) {
    if (query.has_plugin) {
      return Status::Invalid(fmt::format(
          "{}: the plug-in ran in this application, so that there is nothing to foretell; "
          "`reprise report {}` tells what ran natively",
          report.log, report.log));
    }
    all.queries.push_back(QualifyQuery(report, query));
    AddObstacles(all.queries.back(), &obstacles);
    const int64_t began = query.execution->started;
    if (began > 0) spans.push_back({began, began + query.wall_ms});
  }
  all.query_ms = std::min(Covered(std::move(spans)), all.wall_ms);
  all.native_share = NativeShare(report, all.queries);
  double was = 0;
  double becomes = 0;
  double unsure = 0;
  for (const QualifiedQuery& each : all.queries) {
    was += static_cast<double>(each.query->wall_ms);
    becomes += each.wall_ms.expected;
    unsure += each.native_share * each.wall_ms.expected;
  }
  // Queries that ran beside each other shared the cores.
  const double beside = was > 0 ? all.query_ms / was : 0;
  const double expected = all.wall_ms - beside * (was - becomes);
  const double spread = Spread(all.queries.size()) * beside * unsure;
  all.native_wall_ms = {
      .least = expected - spread, .expected = expected, .most = expected + spread};
  for (auto& [reason, obstacle] : obstacles) all.obstacles.push_back(std::move(obstacle));
  std::ranges::sort(all.obstacles, std::greater(), &Obstacle::seconds);
  return all;
}

double Speedup(double wall_ms, double native_wall_ms) {
  return native_wall_ms > 0 ? wall_ms / native_wall_ms : 1;
}

}  // namespace reprise
