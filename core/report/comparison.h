// Two runs of an application, query by query: what became slower, in which operator and stage, and
// which settings differ.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace reprise {

/// The same operator in both runs, or one that only one of them has.
struct ComparedOperator {
  int left = -1;  ///< index in the plan as it ran; -1: not there
  int right = -1;
  double left_ms = 0;  ///< task time
  double right_ms = 0;

  double MoreMs() const { return right_ms - left_ms; }
};

struct ComparedSetting {
  std::string name;
  std::string left;  ///< "" where it is not set
  std::string right;
};

struct ComparedQuery {
  const ReportedQuery* left = nullptr;
  const ReportedQuery* right = nullptr;
  std::vector<ComparedOperator> operators;  ///< those whose time grew most first
  bool same_plan = true;                    ///< the same operators, transitions aside
  std::vector<ComparedSetting> settings;    ///< of their sessions

  int64_t MoreMs() const { return right->wall_ms - left->wall_ms; }
};

struct RunComparison {
  const Report& left;
  const Report& right;
  std::vector<ComparedQuery> queries;  ///< those that became slower by most first
  std::vector<const ReportedQuery*> only_left;
  std::vector<const ReportedQuery*> only_right;
  std::vector<ComparedSetting> settings;  ///< those that each run has its own of are left out
};

/// What it is called wherever it runs: scans are named by what they read, and native ones
/// otherwise.
std::string_view NameInAnyRun(const GraphNode& node);

/// It hands rows or columns on, as one run needs it and the other does not.
bool IsTransition(const GraphNode& node);

/// Queries are the same where their plans are, but for the numbers that Spark draws and the places
/// of files; or else their operators and descriptions. The reports outlive it.
RunComparison CompareRuns(const Report& left, const Report& right);

}  // namespace reprise
