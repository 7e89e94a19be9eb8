// Purpose: keep the first rows of each partition, by row number or rank.
// Input:   one, sorted by the keys of partition and order.  Output: the same columns and a
// selection; nothing is copied. As in Spark a row leaves while the rank of the row before it is
// below the limit, so that there may be a rank too much, which the filter above takes out.
// Example: limit 1 by row number over k = [a, a, b] keeps the rows 1 and 3.
#include "operators/window/window_group_limit.h"

#include "expressions/row_error.h"
#include "operators/sort.h"
#include "operators/spec_members.h"
#include "operators/window/row_changes.h"
#include "operators/window/window_spec.h"

namespace reprise {

namespace {

enum class RankFunction { kRowNumber, kRank, kDenseRank };

class WindowGroupLimit final : public Operator {
 public:
  WindowGroupLimit(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
                   const TaskContext& context, RowChanges partition, RowChanges order,
                   RankFunction function, int64_t limit)
      : Operator(std::move(spec), std::move(inputs), context),
        partition_(std::move(partition)),
        order_(std::move(order)),
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
      ARROW_ASSIGN_OR_RAISE(const Keys good, std::move(keys));
      ARROW_ASSIGN_OR_RAISE(batch->selection, Kept(*batch, good));
      if (batch->selected_count() == 0) continue;
      batch->schema = output_schema();
      return batch;
    }
  }

  struct Keys {
    arrow::ArrayVector partition;
    arrow::ArrayVector order;
  };

  Result<Keys> KeysOf(const Batch& batch) const {
    EvalInput input(batch, pool());
    Keys keys;
    ARROW_ASSIGN_OR_RAISE(keys.partition, partition_.Evaluate(input));
    ARROW_ASSIGN_OR_RAISE(keys.order, order_.Evaluate(input));
    return keys;
  }

  /// The selected rows that are kept.
  Result<std::shared_ptr<arrow::Buffer>> Kept(const Batch& batch, const Keys& keys) {
    const int64_t rows = batch.selected_count();
    std::vector<uint8_t> begins(static_cast<size_t>(rows));
    RETURN_NOT_OK(partition_.Mark(keys.partition, rows, pool(), begins.data()));
    std::vector<uint8_t> changes = begins;
    RETURN_NOT_OK(order_.Mark(keys.order, rows, pool(), changes.data()));
    ARROW_ASSIGN_OR_RAISE(auto kept,
                          arrow::AllocateResizableBuffer(rows * sizeof(int32_t), pool()));
    auto* const indices = reinterpret_cast<int32_t*>(kept->mutable_data());
    const int32_t* const selected = batch.has_selection() ? batch.selected().data() : nullptr;
    int64_t count = 0;
    for (int64_t i = 0; i < rows; ++i) {
      const auto at = static_cast<size_t>(i);
      if (begins[at] != 0) rank_ = rows_ = 0;
      if (rank_ >= limit_) continue;
      indices[count++] = selected != nullptr ? selected[i] : static_cast<int32_t>(i);
      IncreaseRank(changes[at] != 0);
    }
    RETURN_NOT_OK(kept->Resize(count * sizeof(int32_t)));
    return kept;
  }

  void IncreaseRank(bool changes) {
    if (function_ == RankFunction::kRowNumber) {
      ++rank_;
    } else if (rows_ > 0 && changes) {
      rank_ = function_ == RankFunction::kRank ? rows_ : rank_ + 1;
    }
    ++rows_;
  }

  RowChanges partition_;
  RowChanges order_;
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
  ARROW_ASSIGN_OR_RAISE(const WindowSpec keys, ReadWindowKeys(spec.arguments));
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
  std::vector<ExpressionSpec> order;
  for (const WindowOrderKey& key : keys.ordering) order.push_back(key.expression);
  ARROW_ASSIGN_OR_RAISE(auto partition, RowChanges::Make(keys.partition, spec.inputs[0]));
  ARROW_ASSIGN_OR_RAISE(auto changes, RowChanges::Make(order, spec.inputs[0]));
  return std::make_unique<WindowGroupLimit>(std::move(spec), std::move(inputs), context,
                                            std::move(partition), std::move(changes), function,
                                            limit);
}

}  // namespace reprise
