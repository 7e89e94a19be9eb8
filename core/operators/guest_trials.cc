#include "operators/guest_trials.h"

#include <arrow/array/util.h>

#include <algorithm>

#include "expressions/row_error.h"
#include "expressions/scatter.h"
#include "plan/value_form.h"

namespace reprise {

Result<std::unique_ptr<GuestTrials>> GuestTrials::Make(const std::vector<ExpressionSpec>& trials,
                                                       const std::vector<Field>& input,
                                                       std::span<const Field> made) {
  if (trials.size() != made.size()) {
    return Status::Invalid("\"trials\" has ", trials.size(), " expressions for ", made.size(),
                           " guests");
  }
  std::vector<std::unique_ptr<Expression>> expressions;
  for (size_t i = 0; i < trials.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto expression, MakeExpression(trials[i], input));
    if (!HaveSameForm(expression->type(), made[i].type)) {
      return Status::Invalid("expression ", i, " of \"trials\" is ", expression->type().ToString(),
                             ", its guest ", made[i].name, " is ", made[i].type.ToString());
    }
    expressions.push_back(std::move(expression));
  }
  return std::unique_ptr<GuestTrials>(new GuestTrials(std::move(expressions)));
}

Result<GuestTrials::Values> GuestTrials::Try(const Batch& rows, arrow::MemoryPool* pool) {
  Values values;
  const int64_t count = rows.selected_count();
  EvalInput input(rows, pool);
  input.TellDoubts(&values.doubted);
  for (const auto& trial : trials_) {
    auto made = EvaluateToArray(*trial, input);
    if (!made.ok()) {
      if (!IsOfRow(made.status())) return made.status();
      // Which row fails, and how, Spark says best.
      values.doubted = AllRows(count);
      ARROW_ASSIGN_OR_RAISE(const auto type, ToArrow(trial->type()));
      made = arrow::MakeArrayOfNull(type, count, pool);
    }
    ARROW_ASSIGN_OR_RAISE(auto column, std::move(made));
    values.columns.push_back(std::move(column));
  }
  std::ranges::sort(values.doubted);
  const auto again = std::ranges::unique(values.doubted);
  values.doubted.erase(again.begin(), again.end());
  tried_ += count;
  doubted_ += std::ssize(values.doubted);
  return values;
}

}  // namespace reprise
