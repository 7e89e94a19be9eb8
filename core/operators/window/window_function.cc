#include "operators/window/window_function.h"

namespace reprise {

Result<std::unique_ptr<WindowFunctionRun>> MakeWindowFunction(const WindowFunctionSpec& spec,
                                                              const WindowSpec& window,
                                                              arrow::MemoryPool* pool) {
  switch (spec.function) {
    case WindowFunction::kOffset:
    case WindowFunction::kNthValue:
      return MakeTakenRow(spec, window);
    case WindowFunction::kFrameBegin:
    case WindowFunction::kFrameEnd:
      return MakeFrameBounds(spec, window);
    case WindowFunction::kAggregate: {
      ARROW_ASSIGN_OR_RAISE(FrameFinder frames, FrameFinder::Make(spec.frame, window));
      if (frames.begins_with_partition()) {
        return MakeGrowingAggregate(spec, std::move(frames), pool);
      }
      return MakeSlidingAggregate(spec, std::move(frames));
    }
    default:
      return MakeRanking(spec);
  }
}

}  // namespace reprise
