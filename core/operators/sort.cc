// Purpose: sort the rows of a partition. Equal rows keep their order.
// Input:   one, any columns.  Output: the same columns, or the first of them, dictionaries decoded.
// Example: ordering [a ascending, nulls first] over a = [3, null, 1] gives [null, 1, 3].
//
// When memory is wanted, the rows so far become a sorted run in a spill file (row_sorter.h).
#include "operators/sort.h"

#include <limits>

#include "operators/evaluation_pieces.h"
#include "operators/row_sorter.h"
#include "operators/spec_members.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

class Sort final : public Operator {
 public:
  Sort(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs, const TaskContext& context,
       SortKeys keys, std::shared_ptr<arrow::Schema> sorted)
      : Operator(std::move(spec), std::move(inputs), context),
        keys_(std::move(keys)),
        pieces_(keys_.may_widen(), /*may_retry=*/false),
        sorter_(&keys_, std::move(sorted),
                {context, [this](int64_t bytes) { CountSpilled(bytes); }},
                std::numeric_limits<int64_t>::max()) {}

  int64_t SpillableBytes() const override { return sorter_.SpillableBytes(); }
  Result<int64_t> Spill() override { return sorter_.Spill(); }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    if (!is_complete_) RETURN_NOT_OK(Collect());
    ARROW_ASSIGN_OR_RAISE(auto batch, sorter_.Next(bounds()));
    if (!batch) return std::nullopt;
    batch->columns.resize(spec().output.size());
    batch->schema = output_schema();
    return batch;
  }

  Status Collect() {
    while (true) {
      ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
      if (!batch.has_value()) break;
      if (batch->selected_count() == 0) continue;
      pieces_.Start(*std::move(batch));
      while (pieces_.has_more()) {
        RETURN_NOT_OK(pieces_.Next(bounds(), pool(), [this](const Batch& rows) -> Status {
          RETURN_NOT_OK(sorter_.MergeRuns());
          RETURN_NOT_OK(Reserve(sorter_.GrowthBytes(rows)));
          return sorter_.Add(rows);
        }));
      }
    }
    is_complete_ = true;
    return sorter_.Finish();
  }

  const SortKeys keys_;
  EvaluationPieces pieces_;
  RowSorter sorter_;
  bool is_complete_ = false;
};

Status CheckFirst(const OperatorSpec& spec, size_t count) {
  const std::vector<Field>& input = spec.inputs[0];
  for (size_t i = 0; i < count; ++i) {
    if (HaveSameForm(spec.output[i].type, input[i].type)) continue;
    return Status::Invalid("output column ", i, " (", spec.output[i].name, ") is ",
                           spec.output[i].type.ToString(), ", its input is ",
                           input[i].type.ToString());
  }
  return Status::OK();
}

}  // namespace

Status CheckSameColumns(const OperatorSpec& spec) {
  const std::vector<Field>& input = spec.inputs[0];
  if (spec.output.size() != input.size()) {
    return Status::Invalid("its output has ", spec.output.size(), " columns, its input ",
                           input.size());
  }
  return CheckInputFirst(spec);
}

Status CheckColumnsOfInput(const OperatorSpec& spec) {
  if (spec.output.size() > spec.inputs[0].size()) {
    return Status::Invalid("its output has ", spec.output.size(), " columns, its input ",
                           spec.inputs[0].size());
  }
  return CheckFirst(spec, spec.output.size());
}

Status CheckInputFirst(const OperatorSpec& spec) { return CheckFirst(spec, spec.inputs[0].size()); }

Result<std::unique_ptr<Operator>> MakeSort(OperatorSpec spec,
                                           std::vector<std::unique_ptr<Operator>> inputs,
                                           const TaskContext& context) {
  RETURN_NOT_OK(CheckColumnsOfInput(spec));
  ARROW_ASSIGN_OR_RAISE(auto sorted, ToArrowSchema(spec.inputs[0]));
  ARROW_ASSIGN_OR_RAISE(const auto* ordering, ArrayMember(spec.arguments, "ordering"));
  ARROW_ASSIGN_OR_RAISE(SortKeys keys, SortKeys::Make(*ordering, spec.inputs[0]));
  return std::make_unique<Sort>(std::move(spec), std::move(inputs), context, std::move(keys),
                                std::move(sorted));
}

}  // namespace reprise
