// Purpose: keep the first rows of each partition, by row number or rank.
// Input:   one, sorted by the keys of partition and order.  Output: the same columns and a
// selection; nothing is copied. As in Spark a row leaves while the rank of the row before it is
// below the limit, so that there may be a rank too much, which the filter above takes out.
// Example: limit 1 by row number over k = [a, a, b] keeps the rows 1 and 3.
#include "operators/window/window_group_limit.h"

#include "base/selected_rows.h"
#include "expressions/row_error.h"
#include "operators/sort.h"
#include "operators/window/window_keys.h"

namespace reprise {

namespace {

enum class RankFunction { kRowNumber, kRank, kDenseRank };

class WindowGroupLimit final : public Operator {
 public:
  WindowGroupLimit(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
                   const TaskContext& context, WindowKeys keys, RankFunction function,
                   int64_t limit)
      : Operator(std::move(spec), std::move(inputs), context),
        keys_(std::move(keys)),
        function_(function),
        limit_(limit) {}

 private:
  Result<std::optional<Batch>> NextBatch() override {
    while (true) {
      RETURN_NOT_OK(due_.status());
      ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
      if (!batch) return std::nullopt;
      if (batch->selected_count() == 0) continue;
      auto keys = KeysOf(*batch);
      if (!keys.ok()) {
        RETURN_NOT_OK(due_.Cut(&*batch, keys.status(),
                               [this](const Batch& rows) { return KeysOf(rows).status(); }));
        keys = KeysOf(*batch);
      }
      ARROW_ASSIGN_OR_RAISE(const WindowKeys::Columns good, std::move(keys));
      ARROW_ASSIGN_OR_RAISE(batch->selection, Kept(*batch, good));
      if (batch->selected_count() == 0) continue;
      batch->schema = output_schema();
      return batch;
    }
  }

  Result<WindowKeys::Columns> KeysOf(const Batch& batch) const {
    EvalInput input(batch, pool());
    return keys_.Evaluate(input);
  }

  /// The selected rows that are kept.
  Result<std::shared_ptr<arrow::Buffer>> Kept(const Batch& batch, const WindowKeys::Columns& keys) {
    ARROW_ASSIGN_OR_RAISE(const WindowMarks marks,
                          keys_.Mark(keys, batch.selected_count(), pool()));
    return SelectionOf(batch, pool(), [&](int64_t row) {
      const auto at = static_cast<size_t>(row);
      if (marks.partitions[at] != 0) rank_ = rows_ = 0;
      if (rank_ >= limit_) return false;
      IncreaseRank(marks.peers[at] != 0);
      return true;
    });
  }

  void IncreaseRank(bool changes) {
    if (function_ == RankFunction::kRowNumber) {
      ++rank_;
    } else if (rows_ > 0 && changes) {
      rank_ = function_ == RankFunction::kRank ? rows_ : rank_ + 1;
    }
    ++rows_;
  }

  WindowKeys keys_;
  const RankFunction function_;
  const int64_t limit_;
  int64_t rank_ = 0;  // of the last row that was kept, from 0
  int64_t rows_ = 0;  // of its partition that were kept
  DueError due_;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeWindowGroupLimit(
    OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs, const TaskContext& context) {
  RETURN_NOT_OK(CheckSameColumns(spec));
  ARROW_ASSIGN_OR_RAISE(const WindowSpec window, ReadWindowKeys(spec.arguments));
  ARROW_ASSIGN_OR_RAISE(const std::string name, StringMember(spec.arguments, "function"));
  ARROW_ASSIGN_OR_RAISE(const int64_t limit, IntegerMember(spec.arguments, "limit"));
  RankFunction function = RankFunction::kRowNumber;
  if (name == "rank") {
    function = RankFunction::kRank;
  } else if (name == "dense_rank") {
    function = RankFunction::kDenseRank;
  } else if (name != "row_number") {
    return Status::NotImplemented("\"function\" is \"", name, "\", which is not known");
  }
  ARROW_ASSIGN_OR_RAISE(WindowKeys keys, WindowKeys::Make(window, spec.inputs[0]));
  return std::make_unique<WindowGroupLimit>(std::move(spec), std::move(inputs), context,
                                            std::move(keys), function, limit);
}

}  // namespace reprise
