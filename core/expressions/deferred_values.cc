#include "expressions/deferred_values.h"

#include "expressions/row_error.h"
#include "expressions/scatter.h"

namespace reprise {

namespace {

using Rows = std::span<const int32_t>;

// Evaluates halves of halves of the rows, until those that fail stand alone.
class DeferredColumn {
 public:
  DeferredColumn(const Expression& expression, EvalInput& input, int column, ValueErrors* errors)
      : expression_(expression), input_(input), column_(column), errors_(errors) {}

  // Of `rows` some fails with `error`.
  Status Divide(Rows rows, const Status& error) {
    if (!IsOfRow(error)) return error;
    if (rows.size() == 1) {
      errors_->push_back({rows[0], column_, error});
      return Status::OK();
    }
    for (const Rows half : {rows.first(rows.size() / 2), rows.subspan(rows.size() / 2)}) {
      EvalInput some(input_, half);
      auto values = expression_.Evaluate(some);
      if (values.ok()) {
        pieces_.push_back({*std::move(values), half});
      } else {
        RETURN_NOT_OK(Divide(half, values.status()));
      }
    }
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::Array>> Values() const {
    return Scatter(expression_.type(), pieces_, input_.row_count(), input_.pool());
  }

 private:
  const Expression& expression_;
  EvalInput& input_;
  const int column_;
  ValueErrors* errors_;
  std::vector<Piece> pieces_;
};

}  // namespace

ExpressionSpec WithCheckedColumns(ExpressionSpec expression) {
  if (expression.function == "column") expression.attributes["checked"] = true;
  for (ExpressionSpec& argument : expression.arguments) {
    argument = WithCheckedColumns(std::move(argument));
  }
  return expression;
}

Result<std::shared_ptr<arrow::Array>> EvaluateDeferred(const Expression& expression,
                                                       EvalInput& input, int column,
                                                       ValueErrors* errors) {
  auto whole = EvaluateToArray(expression, input);
  if (whole.ok()) [[likely]]
    return whole;
  const std::vector<int32_t> rows = AllRows(input.row_count());
  DeferredColumn deferred(expression, input, column, errors);
  RETURN_NOT_OK(deferred.Divide(rows, whole.status()));
  return deferred.Values();
}

}  // namespace reprise
