// Where frames begin and end, for those who take their rows by number: Python's workers. Rows are
// counted from the first of the partition, from 0. Example: of three rows, over rows between 1
// preceding and the current row, frames begin at 0, 0, 1 and end at 1, 2, 3.
#include <algorithm>

#include "operators/fixed_values.h"
#include "operators/window/window_function.h"

namespace reprise {

namespace {

class FrameBounds final : public WindowFunctionRun {
 public:
  FrameBounds(const WindowFunctionSpec& spec, FrameFinder frames)
      : type_(spec.result),
        is_begin_(spec.function == WindowFunction::kFrameBegin),
        finder_(std::move(frames)) {}

  Result<std::shared_ptr<arrow::Array>> Compute(const WindowRows& rows,
                                                const arrow::ArrayVector& /*inputs*/,
                                                int32_t wanted,
                                                const TaskContext& context) override {
    Frames frames(context.pool);
    RETURN_NOT_OK(finder_.Find(rows, wanted, context.pool, &frames));
    PoolVector<int32_t>& bounds = is_begin_ ? frames.begins : frames.ends;
    for (size_t i = 0; i + 1 < rows.partitions.size() && rows.partitions[i] < wanted; ++i) {
      const int32_t begin = rows.partitions[i];
      const int32_t end = std::min(rows.partitions[i + 1], wanted);
      for (int32_t row = begin; row < end; ++row) bounds[row] -= begin;
    }
    return MakeFixedColumn<int32_t>(
        type_, wanted, context.pool, [](int64_t) { return true; },
        [&](int64_t row) { return bounds[row]; });
  }

 private:
  const DataType type_;
  const bool is_begin_;
  const FrameFinder finder_;
};

}  // namespace

Result<std::unique_ptr<WindowFunctionRun>> MakeFrameBounds(const WindowFunctionSpec& spec,
                                                           const WindowSpec& window) {
  ARROW_ASSIGN_OR_RAISE(FrameFinder frames, FrameFinder::Make(spec.frame, window));
  return std::make_unique<FrameBounds>(spec, std::move(frames));
}

}  // namespace reprise
