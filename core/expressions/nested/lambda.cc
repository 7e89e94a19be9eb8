// lambda: what a higher-order function computes of each element, as Spark's LambdaFunction.
// Input: the body, then the lambda's variables. Output: the body's.
// lambda_variable: the value that the function around gives, as Spark's NamedLambdaVariable.
// Attribute "variable": its number, by which the body finds it (EvalInput::Bind).
//   transform([1, 2], lambda(x + 1, x)) = [2, 3]
#include "expressions/nested/lambda.h"

#include <algorithm>

#include "expressions/null_intolerant.h"
#include "expressions/row_error.h"

namespace reprise {

namespace {

/// As many elements are computed at once, so that columns of the rows around, which are repeated
/// for each, stay small.
constexpr int64_t kElementsAtOnce = 16384;

Result<int> VariableOf(const ExpressionSpec& spec) {
  const auto number = spec.attributes.find("variable");
  if (spec.function != "lambda_variable" || number == spec.attributes.end() ||
      !number->is_number_integer()) {
    return Status::Invalid(spec.function,
                           " stands where a lambda_variable with an integer "
                           "attribute \"variable\" must");
  }
  return number->get<int>();
}

class LambdaVariable final : public Expression {
 public:
  LambdaVariable(DataType type, int number)
      : Expression(std::move(type), /*can_fail=*/false), number_(number) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    ARROW_ASSIGN_OR_RAISE(auto values, input.variable(number_));
    return Column{std::move(values), nullptr};
  }

 private:
  const int number_;
};

class LambdaBody final : public Expression {
 public:
  explicit LambdaBody(std::unique_ptr<Expression> body)
      : Expression(body->type(), body->can_fail()), body_(std::move(body)) {}

  Result<Column> Evaluate(EvalInput& input) const override { return body_->Evaluate(input); }

 private:
  const std::unique_ptr<Expression> body_;
};

}  // namespace

MadeExpression MakeLambdaVariable(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(const int number, VariableOf(call.spec));
  return std::make_unique<LambdaVariable>(call.spec.type, number);
}

MadeExpression MakeLambda(FunctionCall call) {
  return std::make_unique<LambdaBody>(std::move(call.arguments[0]));
}

Result<Lambda> Lambda::TakenFrom(FunctionCall* call, size_t index, size_t variables_at_most) {
  const ExpressionSpec& spec = call->spec.arguments[index];
  if (spec.function != "lambda" || spec.arguments.size() < 2 ||
      spec.arguments.size() > 1 + variables_at_most) {
    return Status::Invalid("argument ", index, " of ", call->spec.function,
                           " is no lambda of one up to ", variables_at_most, " variables");
  }
  std::vector<Variable> variables;
  for (size_t i = 1; i < spec.arguments.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(const int number, VariableOf(spec.arguments[i]));
    variables.push_back({number, spec.arguments[i].type});
  }
  return Lambda(std::move(call->arguments[index]), std::move(variables));
}

Result<std::shared_ptr<arrow::Array>> Lambda::Evaluate(EvalInput& rows,
                                                       const arrow::ArrayVector& values) const {
  for (size_t i = 0; i < variables_.size(); ++i) rows.Bind(variables_[i].number, values[i]);
  ARROW_ASSIGN_OR_RAISE(auto made, EvaluateToArray(*body_, rows));
  return DecodeDictionary(made, rows.pool());
}

Result<std::shared_ptr<arrow::Array>> Lambda::EvaluateEach(EvalInput& input, const FlatLists& lists,
                                                           const arrow::ArrayVector& values) const {
  const auto evaluate = [&](int64_t begin, int64_t count) {
    arrow::ArrayVector slices;
    for (const auto& column : values) slices.push_back(column->Slice(begin, count));
    const std::span<const int32_t> rows(lists.rows);
    EvalInput elements(input, rows.subspan(static_cast<size_t>(begin), static_cast<size_t>(count)));
    return Evaluate(elements, slices);
  };
  arrow::ArrayVector pieces;
  for (int64_t begin = 0; begin == 0 || begin < lists.count(); begin += kElementsAtOnce) {
    const int64_t count = std::min(kElementsAtOnce, lists.count() - begin);
    auto piece = evaluate(begin, count);
    // Once the row that fails has been found its elements fail in their order.
    const bool is_alone = input.row_count() == 1 && count > 1;
    if (!piece.ok() && is_alone && IsOfRow(piece.status())) {
      for (int64_t i = 0; i < count; ++i) RETURN_NOT_OK(evaluate(begin + i, 1));
    }
    ARROW_ASSIGN_OR_RAISE(pieces.emplace_back(), std::move(piece));
  }
  return pieces.size() == 1 ? pieces[0] : arrow::Concatenate(pieces, input.pool());
}

Result<std::shared_ptr<arrow::Array>> Lambda::EvaluateAt(EvalInput& input, const FlatLists& lists,
                                                         std::span<const int32_t> rows,
                                                         int64_t place,
                                                         const arrow::ArrayVector& values) const {
  std::vector<int32_t> elements;
  for (const int32_t row : rows) {
    elements.push_back(lists.lists.offset(row) + static_cast<int32_t>(place));
  }
  arrow::ArrayVector at;
  for (const auto& column : values) {
    ARROW_ASSIGN_OR_RAISE(at.emplace_back(), Gather(*column, elements, input.pool()));
  }
  EvalInput some(input, rows);
  return Evaluate(some, at);
}

}  // namespace reprise
