// The figures of one stage attempt's tasks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "eventlog/event.h"

namespace reprise {

/// Folds the ends of tasks, as Spark's own pages do: figures are of all tasks, those too that
/// failed or were killed; times only of those that did their work.
class StageTasks {
 public:
  struct Slowest {
    int64_t task = -1;
    int64_t index = -1;
    int64_t attempt = 0;
    int64_t duration_ms = -1;
    int64_t bytes_read = 0;  ///< of files and shuffles
    std::string executor;
  };
  struct Failure {
    std::string reason;
    int64_t count = 0;
    int64_t index = -1;  ///< of the first task that failed so
  };
  /// Of the kinds of failures, the first so many are told apart.
  static constexpr size_t kFailuresMax = 20;
  static constexpr std::string_view kOtherFailures = "other reasons";

  void Add(const TaskEnd& task);

  int64_t succeeded() const { return static_cast<int64_t>(durations_ms_.size()); }
  int64_t failed() const { return failed_; }
  int64_t killed() const { return killed_; }
  int64_t speculative() const { return speculative_; }
  int64_t ended() const { return succeeded() + failed_ + killed_; }
  const TaskFigures& figures() const { return figures_; }
  const Slowest& slowest() const { return slowest_; }
  const std::vector<Failure>& failures() const { return failures_; }

  /// Of those that did their work, in the order in which they ended.
  const std::vector<int32_t>& durations_ms() const { return durations_ms_; }
  /// Task time of what failed or was killed.
  int64_t lost_ms() const { return lost_ms_; }

  int64_t MinMs() const;
  /// The upper median, as Spark's; 0 without tasks.
  int64_t MedianMs() const;
  /// What the median task read of files and shuffles, within one part in ten million.
  int64_t MedianBytesRead() const;
  /// How much longer the slowest task ran than the median one; 1 where both took no time.
  double Skew() const;

 private:
  std::vector<int32_t> durations_ms_;
  std::vector<float> bytes_read_;
  int64_t lost_ms_ = 0;
  int64_t failed_ = 0;
  int64_t killed_ = 0;
  int64_t speculative_ = 0;
  TaskFigures figures_;
  Slowest slowest_;
  std::vector<Failure> failures_;
};

}  // namespace reprise
