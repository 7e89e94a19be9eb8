// What the files that look for findings share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>

#include "base/figure_text.h"
#include "report/report.h"

namespace reprise {

inline constexpr int64_t kMegabyte = 1'000'000;
inline constexpr double kMsPerSecond = 1000;

/// Of task time, what the application would have been faster by.
inline double WallSeconds(double task_ms, const StageAttempt& attempt) {
  return task_ms / Parallelism(attempt) / kMsPerSecond;
}

/// Each attempt of a stage that has ended, with tasks that did their work.
void ForEachAttempt(const Report& report,
                    const std::function<void(const Stage&, const StageAttempt&)>& look);

/// Each operator that ran, of every query, with its index in the query's plan.
void ForEachOperator(const Report& report,
                     const std::function<void(const ReportedQuery&, int)>& look);

/// What an operator takes of the application's time.
double WallSeconds(const Report& report, const GraphNode& node);

/// The last attempt of the first stage that ran an operator; nullptr: none is known.
const StageAttempt* AttemptOf(const LogModel& model, const GraphNode& node);

/// A finding in a stage, and in the query that it ran for.
Finding InStage(const Report& report, std::string_view kind, const Stage& stage);
/// A finding at an operator.
Finding AtOperator(std::string_view kind, const ReportedQuery& query, int node);

/// What brings home the tasks of an attempt that failed, a line each: the replay of what was dumped
/// or recorded of them; where nothing was, the settings to run the application again with before.
std::vector<std::string> FailureLines(const Report& report, const Stage& stage,
                                      const StageAttempt& attempt);

/// "Filter 5 of query 3": an operator as titles name it.
std::string Named(const ReportedQuery& query, int node);

/// 1.5 GiB of "1536m", as Spark reads sizes; -1 for anything else. Without a unit they are of
/// `unit` bytes.
int64_t SizeOf(const std::string& text, int64_t unit);

}  // namespace reprise
