// Purpose: the first rows of a partition; nothing is pulled once they are there.
// Input:   one, any columns.  Output: the same columns; nothing is copied.
// Example: limit 3, offset 1 over [5, 6, 7, 8] gives [6, 7] (Spark's LocalLimitExec,
// GlobalLimitExec).
#include "operators/limit.h"

#include <limits>
#include <numeric>

#include "base/selected_rows.h"
#include "operators/sort.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

class Limit final : public Operator {
 public:
  Limit(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
        const TaskContext& context, int64_t limit, int64_t offset)
      : Operator(std::move(spec), std::move(inputs), context), limit_(limit), offset_(offset) {}

 private:
  Result<std::optional<Batch>> NextBatch() override {
    while (passed_ < limit_) {
      ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
      if (!batch.has_value()) return std::nullopt;
      const int64_t rows = batch->selected_count();
      const int64_t begin = std::clamp<int64_t>(offset_ - passed_, 0, rows);
      const int64_t end = std::min(limit_ - passed_, rows);
      passed_ += rows;
      if (begin >= end) continue;
      batch->schema = output_schema();
      return end - begin == rows ? *batch : SelectedRows(*batch, begin, end);
    }
    return std::nullopt;
  }

  const int64_t limit_;
  const int64_t offset_;
  int64_t passed_ = 0;  // rows of the input seen
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeLimit(OperatorSpec spec,
                                            std::vector<std::unique_ptr<Operator>> inputs,
                                            const TaskContext& context) {
  RETURN_NOT_OK(CheckSameColumns(spec));
  ARROW_ASSIGN_OR_RAISE(int64_t limit, IntegerMember(spec.arguments, "limit"));
  ARROW_ASSIGN_OR_RAISE(const int64_t offset, IntegerMember(spec.arguments, "offset"));
  if (limit < -1 || offset < 0) {
    return Status::Invalid("\"limit\" ", limit, " must be -1 or more, \"offset\" ", offset,
                           " not negative");
  }
  if (limit == -1) limit = std::numeric_limits<int64_t>::max();
  return std::make_unique<Limit>(std::move(spec), std::move(inputs), context, limit, offset);
}

}  // namespace reprise
