#include "base/trace.h"

#include <algorithm>
#include <chrono>

namespace reprise {

int64_t MonotonicNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

TraceRecorder::TraceRecorder(std::shared_ptr<std::atomic<int64_t>> left) : left_(std::move(left)) {}

const TraceRange& TraceRecorder::Describe(std::string_view name, std::string_view category,
                                          std::array<std::string_view, kTraceFigures> figures,
                                          std::string_view arguments) {
  const auto known = std::ranges::find_if(described_, [&](const Described& described) {
    return described.name == name && described.category == category;
  });
  if (known != described_.end()) return known->range;
  Described& made = described_.emplace_back();
  made.name = name;
  made.category = category;
  made.arguments = arguments;
  made.range = {made.name, made.category, figures, made.arguments};
  return made.range;
}

void TraceRecorder::Add(const TraceRange& range, int64_t start_ns, int64_t end_ns,
                        const std::array<int64_t, kTraceFigures>& figures) {
  if (left_->fetch_sub(1, std::memory_order_relaxed) <= 0) {
    ++dropped_;
    return;
  }
  events_.push_back({&range, start_ns, end_ns, figures, lane_});
}

}  // namespace reprise
