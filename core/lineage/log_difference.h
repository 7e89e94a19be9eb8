// Two runs of an application, stage by stage.
//
// Stages are matched by what they are made of: their RDDs' names, the operators or calls that made
// these, and which of them hang together. Ids and lines of source do not count: so stages match
// though a run has one more job before them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "eventlog/log_model.h"

namespace reprise {

/// One figure of a stage in both runs.
struct FigureDifference {
  enum class Unit { kMilliseconds, kRows, kBytes, kCount };
  std::string_view name;  ///< "time", "input rows"
  Unit unit;
  int64_t left;
  int64_t right;
};

/// A stage of both runs, or of one (the other is nullptr).
struct StageDifference {
  const Stage* left;
  const Stage* right;
  /// What differs in structure, in words; empty where it is the same.
  std::string structure;
  std::vector<FigureDifference> figures;  ///< those that differ

  bool OfStructure() const { return !structure.empty() || left == nullptr || right == nullptr; }
  bool OfRows() const;
};

struct LogDifference {
  int64_t matched = 0;                  ///< stages that ran in both
  std::vector<StageDifference> stages;  ///< that differ, in the order of the left run
  bool SameStructureAndRows() const;
};

struct DifferenceLimits {
  double time_ratio = 1.5;    ///< times that are closer count as the same
  int64_t time_ms_min = 100;  ///< and so do shorter differences
};

/// Compares the stages that ran (last attempts). The result points into both models.
LogDifference CompareLogs(const LogModel& left, const LogModel& right,
                          const DifferenceLimits& limits);

nlohmann::json ToJson(const LogDifference& difference);

}  // namespace reprise
