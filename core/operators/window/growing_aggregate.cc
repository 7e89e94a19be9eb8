// Aggregate functions over frames that begin with their partition: of the whole partition, or
// running totals. Each row is added once.
//
// Rows are cut into stretches, each from the end of one frame to the end of the next that ends
// elsewhere. A stretch is a group of the function's accumulator that begins as the one before has
// ended. Example: sum over 1, 2, 3 up to the current row: the groups are [1], [1 2], [1 2 3].
#include <algorithm>

#include "base/error_context.h"
#include "operators/aggregate/accumulator.h"
#include "operators/gather.h"
#include "operators/window/window_function.h"

namespace reprise {

namespace {

class GrowingAggregate final : public WindowFunctionRun {
 public:
  /// `accumulator` has group 0, which is what has been before the rows at hand.
  GrowingAggregate(AggregateSpec spec, FrameFinder frames, std::unique_ptr<Accumulator> accumulator)
      : spec_(std::move(spec)), finder_(std::move(frames)), accumulator_(std::move(accumulator)) {}

  bool is_running() const override { return finder_.ends_with_peers(); }

  Result<std::shared_ptr<arrow::Array>> Compute(const WindowRows& rows,
                                                const arrow::ArrayVector& inputs, int32_t wanted,
                                                const TaskContext& context) override {
    arrow::MemoryPool* const pool = context.pool;
    RETURN_NOT_OK(accumulator_->KeepOnly(0));
    Stretches stretches(pool);
    RETURN_NOT_OK(Cut(rows, wanted, pool, &stretches));
    RETURN_NOT_OK(accumulator_->Grow(stretches.group_count));
    RETURN_NOT_OK(Add(inputs, stretches, pool));
    last_group_ = stretches.group_count - 2;
    const auto results = accumulator_->Results(1, stretches.group_count, pool);
    if (!results.ok()) return WithContext(results.status(), spec_.context);
    if (stretches.is_each_row) return (*results)->Slice(0, wanted);
    return GatherRows(**results, {stretches.result_of.data(), static_cast<size_t>(wanted)},
                      Missing::kNull, pool);
  }

  Status Advance() override { return accumulator_->KeepOnly(last_group_); }

 private:
  struct Stretches {
    explicit Stretches(arrow::MemoryPool* pool) : groups(pool), carried(pool), result_of(pool) {}
    PoolVector<int32_t> groups;     // of the rows that are added
    PoolVector<uint8_t> carried;    // by group
    PoolVector<int32_t> result_of;  // the result of each row, counted from group 1
    std::vector<int32_t> added;     // the rows that are added, where that is not all in front
    int32_t added_count = 0;
    int32_t group_count = 0;  // the last is of a frame without rows
    bool is_each_row = true;  // row i has result i
  };

  Status Cut(const WindowRows& rows, int32_t wanted, arrow::MemoryPool* pool,
             Stretches* stretches) const {
    Frames frames(pool);
    RETURN_NOT_OK(finder_.Find(rows, wanted, pool, &frames));
    RETURN_NOT_OK(stretches->groups.ResizeUninitialised(rows.count));
    RETURN_NOT_OK(stretches->result_of.ResizeUninitialised(wanted));
    RETURN_NOT_OK(stretches->carried.Resize(wanted + 2));
    int32_t group = 0;
    bool leaves_out = false;
    for (size_t i = 0; i + 1 < rows.partitions.size() && rows.partitions[i] < wanted; ++i) {
      const int32_t begin = rows.partitions[i];
      int32_t added_to = begin;
      for (int32_t row = begin; row < std::min(wanted, rows.partitions[i + 1]); ++row) {
        const int32_t end = frames.ends[row];
        if (end > added_to) {
          ++group;
          const bool goes_on = added_to > begin || (begin == 0 && rows.continues());
          stretches->carried[group] = static_cast<uint8_t>(goes_on);
          if (leaves_out) Append(added_to, end, &stretches->added);
          for (int32_t added = added_to; added < end; ++added) {
            stretches->groups[stretches->added_count++] = group;
          }
          added_to = end;
        }
        const int32_t result = end > begin ? group - 1 : -1;
        stretches->is_each_row &= result == row;
        stretches->result_of[row] = result;
      }
      // Behind the last frame: the rows in front are all added so far.
      if (added_to < rows.partitions[i + 1] && !leaves_out) {
        leaves_out = true;
        Append(0, added_to, &stretches->added);
      }
    }
    stretches->group_count = group + 2;
    for (int32_t row = 0; row < wanted; ++row) {
      if (stretches->result_of[row] < 0) stretches->result_of[row] = group;
    }
    return Status::OK();
  }

  static void Append(int32_t begin, int32_t end, std::vector<int32_t>* rows) {
    for (int32_t row = begin; row < end; ++row) rows->push_back(row);
  }

  Status Add(const arrow::ArrayVector& inputs, const Stretches& stretches,
             arrow::MemoryPool* pool) {
    const int32_t count = stretches.added_count;
    const bool is_front =
        stretches.added.empty() ||
        stretches.added.back() == static_cast<int32_t>(stretches.added.size()) - 1;
    std::vector<Column> columns;
    for (const auto& input : inputs) {
      auto column = input->Slice(0, count);
      if (!is_front) {
        ARROW_ASSIGN_OR_RAISE(column, GatherRows(*input, stretches.added, Missing::kNull, pool));
      }
      columns.push_back({std::move(column), nullptr});
    }
    return accumulator_->Update({stretches.groups.data(), count, stretches.carried.data()},
                                columns);
  }

  const AggregateSpec spec_;
  const FrameFinder finder_;
  std::unique_ptr<Accumulator> accumulator_;
  int32_t last_group_ = 0;
};

}  // namespace

Result<std::unique_ptr<WindowFunctionRun>> MakeGrowingAggregate(const WindowFunctionSpec& spec,
                                                                FrameFinder frames,
                                                                arrow::MemoryPool* pool) {
  auto accumulator = MakeAccumulator(*spec.aggregate, pool);
  RETURN_NOT_OK(accumulator->Grow(1));
  return std::make_unique<GrowingAggregate>(*spec.aggregate, std::move(frames),
                                            std::move(accumulator));
}

}  // namespace reprise
