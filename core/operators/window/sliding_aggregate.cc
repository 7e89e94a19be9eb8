// Aggregate functions over frames that move with the row. Spark adds up each frame anew; so does
// this, many frames at a time, where another order of additions would show (floating-point numbers,
// sums that may overflow). Elsewhere long frames are merged of buffers of stretches of their rows
// (merge_tree.h), so that they cost little more than short ones.
#include <algorithm>

#include "base/error_context.h"
#include "operators/gather.h"
#include "operators/window/merge_tree.h"
#include "operators/window/window_function.h"

namespace reprise {

namespace {

/// Rows of several frames that are added at once.
constexpr size_t kRowsAtOnce = 1 << 15;

/// Frames of more rows on average are merged.
constexpr int64_t kLongFrame = 16;

class SlidingAggregate final : public WindowFunctionRun {
 public:
  SlidingAggregate(const WindowFunctionSpec& spec, FrameFinder frames)
      : spec_(*spec.aggregate), finder_(std::move(frames)) {}

  Result<std::shared_ptr<arrow::Array>> Compute(const WindowRows& rows,
                                                const arrow::ArrayVector& inputs, int32_t wanted,
                                                const TaskContext& context) override {
    arrow::MemoryPool* const pool = context.pool;
    Frames frames(pool);
    RETURN_NOT_OK(finder_.Find(rows, wanted, pool, &frames));
    PoolVector<int32_t> result_of(pool);
    RETURN_NOT_OK(result_of.ResizeUninitialised(wanted));
    const std::vector<Frame> different = DifferentFrames(frames, &result_of);
    const auto frame_count = static_cast<int32_t>(different.size());
    const auto accumulator = MakeAccumulator(spec_, pool);
    RETURN_NOT_OK(accumulator->Grow(frame_count));
    RETURN_NOT_OK(AddFrames(different, inputs, rows.count, context, accumulator.get()));
    const auto results = accumulator->Results(0, frame_count, pool);
    if (!results.ok()) return WithContext(results.status(), spec_.context);
    if (frame_count == wanted) return results;
    return GatherRows(**results, {result_of.data(), static_cast<size_t>(wanted)}, Missing::kNull,
                      pool);
  }

 private:
  struct Frame {
    int32_t begin;
    int32_t end;
    int32_t length() const { return end - begin; }
  };

  /// Rows that follow each other often have the same frame: it is added once.
  static std::vector<Frame> DifferentFrames(const Frames& frames, PoolVector<int32_t>* result_of) {
    std::vector<Frame> different;
    for (int64_t row = 0; row < result_of->size(); ++row) {
      const Frame frame = {frames.begins[row], frames.ends[row]};
      if (different.empty() || different.back().begin != frame.begin ||
          different.back().end != frame.end) {
        different.push_back(frame);
      }
      (*result_of)[row] = static_cast<int32_t>(different.size()) - 1;
    }
    return different;
  }

  Status AddFrames(const std::vector<Frame>& frames, const arrow::ArrayVector& inputs,
                   int32_t row_count, const TaskContext& context, Accumulator* accumulator) const {
    int64_t rows = 0;
    int64_t longest = 1;
    for (const Frame& frame : frames) {
      rows += frame.length();
      longest = std::max<int64_t>(longest, frame.length());
    }
    if (rows > kLongFrame * static_cast<int64_t>(frames.size()) && rows > row_count &&
        MergesExactly(spec_, inputs, longest)) {
      ARROW_ASSIGN_OR_RAISE(const MergeTree tree,
                            MergeTree::Make(spec_, inputs, row_count, context.pool));
      return InPieces(
          frames, tree.buffers(), context,
          [&](const Frame& frame, std::vector<int32_t>* places) {
            tree.AppendPlaces(frame.begin, frame.end, places);
          },
          [&](const GroupRows& groups, const arrow::ArrayVector& buffers) {
            return accumulator->Merge(groups, buffers);
          });
    }
    return InPieces(
        frames, inputs, context,
        [](const Frame& frame, std::vector<int32_t>* places) {
          for (int32_t row = frame.begin; row < frame.end; ++row) places->push_back(row);
        },
        [&](const GroupRows& groups, const arrow::ArrayVector& values) {
          std::vector<Column> columns;
          for (const auto& value : values) columns.push_back({value, nullptr});
          return accumulator->Update(groups, columns);
        });
  }

  /// Calls `add` with the rows of `columns` that `place` names for each frame, the frame's number
  /// as their group, some frames at a time.
  template <typename Place, typename Add>
  static Status InPieces(const std::vector<Frame>& frames, const arrow::ArrayVector& columns,
                         const TaskContext& context, const Place& place, const Add& add) {
    std::vector<int32_t> places;
    std::vector<int32_t> groups;
    for (size_t i = 0; i < frames.size(); ++i) {
      place(frames[i], &places);
      groups.resize(places.size(), static_cast<int32_t>(i));
      if (places.size() < kRowsAtOnce && i + 1 < frames.size()) continue;
      if (places.empty()) continue;
      RETURN_NOT_OK(context.CheckCancelled());
      arrow::ArrayVector taken;
      for (const auto& column : columns) {
        ARROW_ASSIGN_OR_RAISE(auto rows, GatherRows(*column, places, Missing::kNull, context.pool));
        taken.push_back(std::move(rows));
      }
      RETURN_NOT_OK(add({groups.data(), static_cast<int64_t>(groups.size())}, taken));
      places.clear();
      groups.clear();
    }
    return Status::OK();
  }

  const AggregateSpec spec_;
  const FrameFinder finder_;
};

}  // namespace

std::unique_ptr<WindowFunctionRun> MakeSlidingAggregate(const WindowFunctionSpec& spec,
                                                        FrameFinder frames) {
  return std::make_unique<SlidingAggregate>(spec, std::move(frames));
}

}  // namespace reprise
