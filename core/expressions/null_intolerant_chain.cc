#include "expressions/null_intolerant_chain.h"

#include <algorithm>

#include "expressions/null_intolerant.h"
#include "expressions/scatter.h"

namespace reprise {

NullIntolerantChain::NullIntolerantChain(DataType type,
                                         std::vector<std::unique_ptr<Expression>> arguments,
                                         bool can_fail)
    : Expression(std::move(type), can_fail || std::any_of(arguments.begin(), arguments.end(),
                                                          [](const auto& argument) {
                                                            return argument->can_fail();
                                                          })),
      arguments_(std::move(arguments)) {}

Result<Column> NullIntolerantChain::Evaluate(EvalInput& input) const {
  if (input.row_count() == 0) return NullColumn(type());
  std::vector<Column> columns;
  std::vector<std::vector<int32_t>> rows;  // owns the rows that the pieces refer to
  for (const auto& argument : arguments_) {
    const bool any_nulls = std::any_of(columns.begin(), columns.end(), HasNulls);
    if (!argument->can_fail() || !any_nulls) {
      ARROW_ASSIGN_OR_RAISE(Column column, argument->Evaluate(input));
      columns.push_back(std::move(column));
    } else {
      ARROW_ASSIGN_OR_RAISE(const Nulls before,
                            UnionOfNulls(columns, input.row_count(), input.pool()));
      rows.emplace_back();
      for (int64_t row = 0; row < input.row_count(); ++row) {
        if (before.IsValid(row)) rows.back().push_back(static_cast<int32_t>(row));
      }
      ARROW_ASSIGN_OR_RAISE(Piece piece, EvaluatePiece(*argument, input, rows.back()));
      ARROW_ASSIGN_OR_RAISE(auto array, Scatter(argument->type(), std::span(&piece, 1),
                                                input.row_count(), input.pool()));
      columns.push_back(Column{std::move(array), nullptr});
    }
    if (IsNullScalar(columns.back())) return NullColumn(type());
  }
  const bool constant = std::all_of(columns.begin(), columns.end(),
                                    [](const Column& column) { return column.is_scalar(); });
  const int64_t row_count = constant ? 1 : input.row_count();
  ARROW_ASSIGN_OR_RAISE(const Nulls nulls, UnionOfNulls(columns, row_count, input.pool()));
  ARROW_ASSIGN_OR_RAISE(auto array, Compute(columns, nulls, row_count, input.pool()));
  if (constant) return ToScalar(*array);
  return Column{std::move(array), nullptr};
}

}  // namespace reprise
