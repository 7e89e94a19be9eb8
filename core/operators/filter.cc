// Purpose: drop the rows for which a condition is false or null.
// Input:   one, any columns.  Output: the same columns, without the last ones where its spec has
// fewer (guest_project.h), and a selection, up to a row that fails; nothing is copied.
// Example: arguments {"condition": a > 1} over a = [1, 2, null, 3] gives a = [1, 2, null, 3] with
// selection [1, 3].
#include "operators/filter.h"

#include "expressions/deferred_values.h"
#include "expressions/expression.h"
#include "expressions/row_error.h"
#include "expressions/widening.h"
#include "operators/evaluation_pieces.h"
#include "operators/spec_members.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

class Filter final : public Operator {
 public:
  Filter(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
         const TaskContext& context, std::unique_ptr<Predicate> predicate,
         std::unique_ptr<Predicate> checked, std::vector<int> reads, bool may_widen)
      : Operator(std::move(spec), std::move(inputs), context),
        predicate_(std::move(predicate)),
        checked_(std::move(checked)),
        reads_(std::move(reads)),
        pieces_(may_widen) {}

 private:
  bool hands_on(int /*index*/, int column) const override {
    return checked_ != nullptr || reads_[static_cast<size_t>(column)] == 0;
  }

  Result<std::optional<Batch>> NextBatch() override {
    while (true) {
      RETURN_NOT_OK(due_.status());
      if (!pieces_.has_more()) {
        ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
        if (!batch.has_value()) return std::nullopt;
        pieces_.Start(*std::move(batch));
        continue;
      }
      ARROW_ASSIGN_OR_RAISE(Batch passed, pieces_.Next(bounds(), pool(), [this](const Batch& rows) {
        return due_.UpTo(rows, [this](const Batch& some) { return Passing(some); });
      }));
      if (passed.selected_count() > 0) return passed;
    }
  }

  Result<Batch> Passing(const Batch& batch) const {
    const bool is_checked = batch.errors != nullptr && checked_ != nullptr;
    const Predicate& predicate = is_checked ? *checked_ : *predicate_;
    ARROW_ASSIGN_OR_RAISE(auto selection, predicate.Select(batch, pool()));
    Batch passed = batch;
    if (selection != nullptr) passed.selection = std::move(selection);
    passed.schema = output_schema();
    if (passed.columns.size() > spec().output.size()) DropGuests(&passed);
    return passed;
  }

  void DropGuests(Batch* batch) const {
    const auto left = static_cast<int>(spec().output.size());
    batch->columns.resize(spec().output.size());
    if (batch->errors == nullptr) return;
    batch->errors = ToBatchErrors(ErrorsOfColumns(
        *batch->errors, [left](int column) { return column < left ? column : -1; }));
  }

  std::unique_ptr<Predicate> predicate_;
  // The same, for batches in which values are missing; null: the columns of a condition with a
  // function that takes no argument that can fail are not handed on.
  std::unique_ptr<Predicate> checked_;
  const std::vector<int> reads_;  // of each column
  DueError due_;
  EvaluationPieces pieces_;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeFilter(OperatorSpec spec,
                                             std::vector<std::unique_ptr<Operator>> inputs,
                                             const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec condition, ExpressionMember(spec.arguments, "condition"));
  const std::vector<Field>& input = spec.inputs[0];
  if (spec.output.size() > input.size()) {
    return Status::Invalid("a filter has its input's ", input.size(),
                           " columns, but its output has ", spec.output.size());
  }
  for (size_t i = 0; i < spec.output.size(); ++i) {
    if (!HaveSameForm(spec.output[i].type, input[i].type)) {
      return Status::Invalid("output column ", i, " (", spec.output[i].name, ") of the filter is ",
                             spec.output[i].type.ToString(), ", its input is ",
                             input[i].type.ToString());
    }
  }
  ARROW_ASSIGN_OR_RAISE(auto predicate, Predicate::Make(condition, input, Conjunction::kOfFilter));
  auto checked = Predicate::Make(WithCheckedColumns(condition), input, Conjunction::kOfFilter);
  std::vector<int> reads(input.size(), 0);
  CountColumns(condition, &reads);
  return std::make_unique<Filter>(std::move(spec), std::move(inputs), context, std::move(predicate),
                                  checked.ok() ? *std::move(checked) : nullptr, std::move(reads),
                                  MayWiden(condition));
}

}  // namespace reprise
