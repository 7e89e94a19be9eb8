// range: the numbers from a start to before an end, cut into slices.
//
// Input:   none; the task's partition says which slice.
// Output:  one column of longs, in order (Spark's RangeExec).
// Example: start 1, end 8, step 2, 2 slices: partition 0 gives 1, 3; partition 1 gives 5, 7.
#include "operators/range.h"

#include <algorithm>
#include <limits>

#include "operators/spec_members.h"

namespace reprise {

namespace {

using Int128 = __int128;

/// How many numbers there are from `start` to before `end`.
Int128 ElementsOf(int64_t start, int64_t end, int64_t step) {
  const Int128 distance = Int128{end} - start;
  if (distance == 0 || (distance < 0) != (step < 0)) return 0;
  return distance / step + (distance % step != 0 ? 1 : 0);
}

class Range final : public Operator {
 public:
  Range(OperatorSpec spec, const TaskContext& context, int64_t first, int64_t step, int64_t count)
      : Operator(std::move(spec), {}, context), next_(first), step_(step), left_(count) {}

 private:
  Result<std::optional<Batch>> NextBatch() override {
    if (left_ == 0) return std::nullopt;
    const int64_t rows = std::min(left_, std::max<int64_t>(1, context().batch_rows_target));
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                          arrow::AllocateBuffer(rows * sizeof(int64_t), pool()));
    auto* values = reinterpret_cast<uint64_t*>(buffer->mutable_data());
    // Only what comes after the last number may leave the range of longs.
    const auto first = static_cast<uint64_t>(next_);
    const auto step = static_cast<uint64_t>(step_);
    for (int64_t i = 0; i < rows; ++i) values[i] = first + static_cast<uint64_t>(i) * step;
    next_ = static_cast<int64_t>(first + static_cast<uint64_t>(rows) * step);
    left_ -= rows;
    Batch batch;
    batch.schema = output_schema();
    batch.columns = {std::make_shared<arrow::Int64Array>(rows, std::move(buffer))};
    batch.row_count = rows;
    return batch;
  }

  int64_t next_;
  const int64_t step_;
  int64_t left_;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeRange(OperatorSpec spec,
                                            std::vector<std::unique_ptr<Operator>>,
                                            const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const int64_t start, IntegerMember(spec.arguments, "start"));
  ARROW_ASSIGN_OR_RAISE(const int64_t end, IntegerMember(spec.arguments, "end"));
  ARROW_ASSIGN_OR_RAISE(const int64_t step, IntegerMember(spec.arguments, "step"));
  ARROW_ASSIGN_OR_RAISE(const int64_t slices, IntegerMember(spec.arguments, "slices"));
  const bool one_long = spec.output.size() == 1 && spec.output[0].type.is(TypeKind::kLong);
  if (!one_long) return Status::Invalid("\"output\" is not one column of longs");
  if (step == 0) return Status::Invalid("\"step\" is 0");
  const Int128 elements = ElementsOf(start, end, step);
  if (elements > std::numeric_limits<int64_t>::max()) {
    return Status::Invalid("there are more numbers from ", start, " to ", end,
                           " than a long counts");
  }
  if (slices < 1 || slices > std::numeric_limits<int32_t>::max() || context.partition >= slices) {
    return Status::Invalid("partition ", context.partition, " is none of ", slices, " slices");
  }
  const auto begin = static_cast<int64_t>(elements * context.partition / slices);
  const auto next = static_cast<int64_t>(elements * (context.partition + 1) / slices);
  const Int128 first = Int128{begin} * step + start;
  return std::make_unique<Range>(std::move(spec), context, static_cast<int64_t>(first), step,
                                 next - begin);
}

}  // namespace reprise
