#include "eventlog/stage_tasks.h"

#include <algorithm>
#include <limits>

namespace reprise {

namespace {

constexpr size_t kReasonBytesMax = 300;

template <typename T>
T UpperMedian(std::vector<T> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

void StageTasks::Add(const TaskEnd& task) {
  speculative_ += task.speculative ? 1 : 0;
  figures_ += task.figures;
  if (!task.end.success()) lost_ms_ = SaturatedSum(lost_ms_, task.duration_ms());
  if (task.end.reason == "TaskKilled" || task.end.reason == "TaskCommitDenied") {
    ++killed_;
    return;
  }
  if (!task.end.success()) {
    ++failed_;
    std::string reason = task.end.ToString();
    if (reason.size() > kReasonBytesMax) reason.resize(kReasonBytesMax);
    if (failures_.size() >= kFailuresMax) reason = kOtherFailures;
    const auto known = std::find_if(failures_.begin(), failures_.end(),
                                    [&](const Failure& other) { return other.reason == reason; });
    if (known == failures_.end()) {
      failures_.push_back({std::move(reason), 1, task.index});
    } else {
      ++known->count;
    }
    return;
  }
  const int64_t duration = task.duration_ms();
  durations_ms_.push_back(
      static_cast<int32_t>(std::min<int64_t>(duration, std::numeric_limits<int32_t>::max())));
  const int64_t bytes = SaturatedSum(task.figures.input_bytes, task.figures.shuffle_read_bytes);
  bytes_read_.push_back(static_cast<float>(bytes));
  if (duration > slowest_.duration_ms) {
    slowest_ = {task.task, task.index, task.attempt, duration, bytes, std::string(task.executor)};
  }
}

int64_t StageTasks::MinMs() const {
  return durations_ms_.empty() ? 0 : *std::min_element(durations_ms_.begin(), durations_ms_.end());
}

int64_t StageTasks::MedianMs() const { return UpperMedian(durations_ms_); }

int64_t StageTasks::MedianBytesRead() const {
  return static_cast<int64_t>(UpperMedian(bytes_read_));
}

double StageTasks::Skew() const {
  const int64_t slowest = std::max<int64_t>(slowest_.duration_ms, 0);
  const int64_t median = MedianMs();
  if (slowest == median) return 1;
  // Times are whole milliseconds: a median of none is taken as one.
  return static_cast<double>(slowest) / static_cast<double>(std::max<int64_t>(median, 1));
}

}  // namespace reprise
