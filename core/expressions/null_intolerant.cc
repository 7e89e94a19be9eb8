#include "expressions/null_intolerant.h"

#include <algorithm>

#include "base/check.h"
#include "expressions/scatter.h"

namespace reprise {

namespace {

std::shared_ptr<arrow::DataType> ArrowTypeOf(const DataType& type) {
  auto arrow_type = ToArrow(type);
  REPRISE_CHECK(arrow_type.ok(), "no Arrow type for {}", type.ToString());
  return *arrow_type;
}

// `expression` over the rows for which `guard` is not null; null for the others.
Result<Column> EvaluateWhereValid(const Expression& expression, const Column& guard,
                                  EvalInput& input) {
  if (!expression.can_fail() || !HasNulls(guard)) return expression.Evaluate(input);
  std::vector<int32_t> rows;
  for (int64_t row = 0; row < input.row_count(); ++row) {
    if (guard.array->IsValid(row)) rows.push_back(static_cast<int32_t>(row));
  }
  ARROW_ASSIGN_OR_RAISE(Piece piece, EvaluatePiece(expression, input, rows));
  ARROW_ASSIGN_OR_RAISE(auto array, Scatter(expression.type(), std::span(&piece, 1),
                                            input.row_count(), input.pool()));
  return Column{std::move(array), nullptr};
}

}  // namespace

bool AnyCanFail(const std::vector<std::unique_ptr<Expression>>& expressions) {
  return std::any_of(expressions.begin(), expressions.end(),
                     [](const auto& expression) { return expression->can_fail(); });
}

Column NullColumn(const DataType& type) {
  return Column{nullptr, arrow::MakeNullScalar(ArrowTypeOf(type))};
}

Result<Column> ToScalar(const arrow::Array& array) {
  ARROW_ASSIGN_OR_RAISE(auto scalar, array.GetScalar(0));
  return Column{nullptr, std::move(scalar)};
}

NullIntolerant::NullIntolerant(DataType type, std::vector<std::unique_ptr<Expression>> arguments,
                               bool can_fail, std::optional<DivisorFirst> divisor_first)
    : Expression(type, can_fail || AnyCanFail(arguments)),
      arguments_(std::move(arguments)),
      divisor_first_(divisor_first),
      arrow_type_(ArrowTypeOf(type)) {}

// Empty where the result is null for every row.
Result<std::vector<Column>> NullIntolerant::EvaluateArguments(EvalInput& input) const {
  std::vector<Column> columns(arguments_.size());
  const size_t first = divisor_first_ ? columns.size() - 1 : 0;
  ARROW_ASSIGN_OR_RAISE(columns[first], arguments_[first]->Evaluate(input));
  if (IsNullScalar(columns[first])) return std::vector<Column>{};
  if (columns.size() == 1) return columns;
  const size_t second = 1 - first;
  Column guard = columns[first];
  if (divisor_first_ && arguments_[second]->can_fail()) {
    ARROW_ASSIGN_OR_RAISE(guard, divisor_first_->Guard(guard, arguments_[first]->type(), input));
    if (IsNullScalar(guard)) return std::vector<Column>{};
  }
  ARROW_ASSIGN_OR_RAISE(columns[second], EvaluateWhereValid(*arguments_[second], guard, input));
  if (IsNullScalar(columns[second])) return std::vector<Column>{};
  return columns;
}

Result<Column> NullIntolerant::Evaluate(EvalInput& input) const {
  if (input.row_count() == 0) return NullColumn(type());
  ARROW_ASSIGN_OR_RAISE(auto columns, EvaluateArguments(input));
  if (columns.empty()) return NullColumn(type());
  const bool constant = std::all_of(columns.begin(), columns.end(),
                                    [](const Column& column) { return column.is_scalar(); });
  const int64_t row_count = constant ? 1 : input.row_count();
  ARROW_ASSIGN_OR_RAISE(Nulls nulls, UnionOfNulls(columns, row_count, input.pool()));
  ARROW_ASSIGN_OR_RAISE(auto array, Compute(columns, nulls, row_count, input.pool()));
  if (constant) return ToScalar(*array);
  return Column{std::move(array), nullptr};
}

std::shared_ptr<arrow::Array> NullIntolerant::ToArray(std::shared_ptr<arrow::Buffer> values,
                                                      const Nulls& nulls, int64_t row_count) const {
  return arrow::MakeArray(
      arrow::ArrayData::Make(arrow_type_, row_count, {nulls.bits, std::move(values)}, nulls.count));
}

}  // namespace reprise
