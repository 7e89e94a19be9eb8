// Recording what a task does and when: ranges of time, for spark.reprise.trace.path.
//
// A range is recorded when it ends, as one event of fixed size, without a lock. base/trace_file.h
// writes what has been recorded once the task is over.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// Nanoseconds of a clock that never goes back.
int64_t MonotonicNs();

inline constexpr size_t kTraceFigures = 3;

/// What the ranges of one sort have in common. Must outlive the recorders that know it: a constant,
/// or made by TraceRecorder::Describe.
struct TraceRange {
  std::string_view name;      ///< "encode block"
  std::string_view category;  ///< "exchange": what a reader can filter by
  /// What each of the ranges counts; "" where there is no more.
  std::array<std::string_view, kTraceFigures> figures = {};
  std::string_view arguments = {};  ///< JSON members that all have: R"("loreId":5,"stage":3)"
};

/// A figure that a range does not have.
inline constexpr int64_t kNoTraceFigure = INT64_MIN;

/// One range, as it was.
struct TraceEvent {
  const TraceRange* range;
  int64_t start_ns;  ///< of MonotonicNs
  int64_t end_ns;
  std::array<int64_t, kTraceFigures> figures;
  int lane;  ///< where it is drawn
};

/// The ranges of one fragment of a task. Used by one thread at a time.
class TraceRecorder {
 public:
  /// Keeps as many events as `left` says, which it counts down; recorders of one task share it.
  explicit TraceRecorder(std::shared_ptr<std::atomic<int64_t>> left);

  /// A description that lives as long as this recorder; the same one for the same name and
  /// category.
  const TraceRange& Describe(std::string_view name, std::string_view category,
                             std::array<std::string_view, kTraceFigures> figures,
                             std::string_view arguments);

  void Add(const TraceRange& range, int64_t start_ns, int64_t end_ns,
           const std::array<int64_t, kTraceFigures>& figures);

  /// Where ranges that end from now on are drawn.
  void set_lane(int lane) { lane_ = lane; }

  const std::vector<TraceEvent>& events() const { return events_; }
  /// Ranges that were not kept because there were too many.
  int64_t dropped() const { return dropped_; }

 private:
  struct Described {
    std::string name;
    std::string category;
    std::string arguments;
    TraceRange range;
  };

  std::shared_ptr<std::atomic<int64_t>> left_;
  std::deque<Described> described_;  // their addresses stay
  std::vector<TraceEvent> events_;
  int64_t dropped_ = 0;
  int lane_ = 0;
};

/// A range that begins here and ends with this object. Does nothing where `recorder` is null: then
/// it costs a comparison at either end.
class TraceScope {
 public:
  TraceScope(TraceRecorder* recorder, const TraceRange* range) : recorder_(recorder) {
    if (recorder_ == nullptr) return;
    range_ = range;
    figures_.fill(kNoTraceFigure);
    start_ns_ = MonotonicNs();
  }
  TraceScope(TraceRecorder* recorder, const TraceRange& range) : TraceScope(recorder, &range) {}
  ~TraceScope() {
    if (recorder_ != nullptr) recorder_->Add(*range_, start_ns_, MonotonicNs(), figures_);
  }
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

  /// Whether the range is recorded; figures that cost something need not be found out otherwise.
  bool is_on() const { return recorder_ != nullptr; }

  /// Gives the figures, in the order of the description; those not given are left out.
  void Count(int64_t first, int64_t second = kNoTraceFigure, int64_t third = kNoTraceFigure) {
    if (recorder_ != nullptr) figures_ = {first, second, third};
  }

 private:
  TraceRecorder* const recorder_;
  // Left alone where nothing is recorded.
  const TraceRange* range_;
  int64_t start_ns_;
  std::array<int64_t, kTraceFigures> figures_;
};

}  // namespace reprise
