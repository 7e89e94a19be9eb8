// A window function computed over the rows of partitions.
#pragma once

#include <memory>

#include "operators/operator.h"
#include "operators/window/window_rows.h"

namespace reprise {

class WindowFunctionRun {
 public:
  virtual ~WindowFunctionRun() = default;

  /// Whether the values of a row depend on nothing behind its peers, and on the rows before them by
  /// what the object keeps: then rows may be of a partition that goes on.
  virtual bool is_running() const { return false; }

  /// The function's values for the first `wanted` rows, of which there are some. `inputs` has a
  /// column for each of the function's inputs, and then for its default. Errors are of one of these
  /// rows; calls may be repeated with fewer.
  virtual Result<std::shared_ptr<arrow::Array>> Compute(const WindowRows& rows,
                                                        const arrow::ArrayVector& inputs,
                                                        int32_t wanted,
                                                        const TaskContext& context) = 0;

  /// The rows of the last call of Compute, all of them, have been computed for good.
  virtual Status Advance() { return Status::OK(); }
};

/// Makes the function of a checked specification.
Result<std::unique_ptr<WindowFunctionRun>> MakeWindowFunction(const WindowFunctionSpec& spec,
                                                              const WindowSpec& window,
                                                              arrow::MemoryPool* pool);

/// row_number, rank, dense_rank, percent_rank, cume_dist and ntile.
std::unique_ptr<WindowFunctionRun> MakeRanking(const WindowFunctionSpec& spec);
/// What is taken from another row: lead, lag, and a row of the frame.
Result<std::unique_ptr<WindowFunctionRun>> MakeTakenRow(const WindowFunctionSpec& spec,
                                                        const WindowSpec& window);
/// The numbers of the rows at which frames begin, or end.
Result<std::unique_ptr<WindowFunctionRun>> MakeFrameBounds(const WindowFunctionSpec& spec,
                                                           const WindowSpec& window);
/// An aggregate function over a frame that begins with the partition.
Result<std::unique_ptr<WindowFunctionRun>> MakeGrowingAggregate(const WindowFunctionSpec& spec,
                                                                FrameFinder frames,
                                                                arrow::MemoryPool* pool);
/// The same over any other frame.
std::unique_ptr<WindowFunctionRun> MakeSlidingAggregate(const WindowFunctionSpec& spec,
                                                        FrameFinder frames);

}  // namespace reprise
