// if, case_when, coalesce.
// Input: if(condition, value, else); case_when(condition, value, condition, value, …, [else]);
// coalesce(value, …). Output: the values' type. A condition that is null counts as false; no else
// means null.
//   if([true, null], 1, 2) = [1, 2];  coalesce([null, 3], 4) = [4, 3]
// A side is evaluated only for the rows that take it, unless it can't fail and takes most rows
// (Spark's If, CaseWhen, Coalesce are lazy).
#include <algorithm>

#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/scatter.h"

namespace reprise {

namespace {

using Expressions = std::vector<std::unique_ptr<Expression>>;

// Arguments as those of case_when, of which if is a case.
class CaseWhen : public Expression {
 public:
  CaseWhen(DataType type, Expressions arguments)
      : Expression(std::move(type), AnyCanFail(arguments)), arguments_(std::move(arguments)) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    const int64_t row_count = input.row_count();
    std::vector<int32_t> rest = AllRows(row_count);
    std::vector<std::vector<int32_t>> taken;  // owns the rows that the pieces refer to
    taken.reserve(arguments_.size());
    std::vector<Piece> pieces;
    for (size_t i = 0; i + 1 < arguments_.size() && !rest.empty(); i += 2) {
      ARROW_ASSIGN_OR_RAISE(Piece condition, EvaluatePiece(*arguments_[i], input, rest));
      SplitRows split = SplitByCondition(condition);
      rest = std::move(split.rest);
      if (split.taken.empty()) continue;
      taken.push_back(std::move(split.taken));
      ARROW_ASSIGN_OR_RAISE(Piece value, EvaluatePiece(*arguments_[i + 1], input, taken.back()));
      pieces.push_back(std::move(value));
    }
    if (arguments_.size() % 2 == 1 && !rest.empty()) {
      ARROW_ASSIGN_OR_RAISE(Piece value, EvaluatePiece(*arguments_.back(), input, rest));
      pieces.push_back(std::move(value));
    }
    if (pieces.empty()) return NullColumn(type());
    if (pieces.size() == 1 && static_cast<int64_t>(pieces[0].rows.size()) == row_count) {
      return pieces[0].column;
    }
    ARROW_ASSIGN_OR_RAISE(auto array, Scatter(type(), pieces, row_count, input.pool()));
    return Column{std::move(array), nullptr};
  }

 private:
  Expressions arguments_;
};

class Coalesce : public Expression {
 public:
  Coalesce(DataType type, Expressions arguments)
      : Expression(std::move(type), AnyCanFail(arguments)), arguments_(std::move(arguments)) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    const int64_t row_count = input.row_count();
    std::vector<int32_t> rest = AllRows(row_count);
    std::vector<std::vector<int32_t>> taken;  // owns the rows that the pieces refer to
    taken.reserve(arguments_.size());
    std::vector<Piece> pieces;
    for (const auto& argument : arguments_) {
      if (rest.empty()) break;
      ARROW_ASSIGN_OR_RAISE(Piece piece, EvaluateDensely(*argument, input, rest));
      if (IsNullScalar(piece.column)) continue;
      if (pieces.empty() && !HasNulls(piece.column)) return piece.column;
      SplitRows split = SplitByValidity(piece);
      rest = std::move(split.rest);
      taken.push_back(std::move(split.taken));
      piece.rows = taken.back();
      pieces.push_back(std::move(piece));
    }
    if (pieces.empty()) return NullColumn(type());
    ARROW_ASSIGN_OR_RAISE(auto array, Scatter(type(), pieces, row_count, input.pool()));
    return Column{std::move(array), nullptr};
  }

 private:
  // As EvaluatePiece, but the column has all rows of the input, so that the rows can be narrowed
  // afterwards.
  static Result<Piece> EvaluateDensely(const Expression& expression, EvalInput& input,
                                       std::span<const int32_t> rows) {
    ARROW_ASSIGN_OR_RAISE(Piece piece, EvaluatePiece(expression, input, rows));
    if (piece.dense || piece.column.is_scalar()) return piece;
    ARROW_ASSIGN_OR_RAISE(piece.column.array, Scatter(expression.type(), std::span(&piece, 1),
                                                      input.row_count(), input.pool()));
    piece.dense = true;
    return piece;
  }

  static SplitRows SplitByValidity(const Piece& piece) {
    SplitRows split;
    for (int32_t row : piece.rows) {
      (IsValidAt(piece.column, row) ? split.taken : split.rest).push_back(row);
    }
    return split;
  }

  Expressions arguments_;
};

}  // namespace

MadeExpression MakeIf(FunctionCall call) {
  return std::make_unique<CaseWhen>(call.spec.type, std::move(call.arguments));
}
MadeExpression MakeCaseWhen(FunctionCall call) {
  return std::make_unique<CaseWhen>(call.spec.type, std::move(call.arguments));
}
MadeExpression MakeCoalesce(FunctionCall call) {
  return std::make_unique<Coalesce>(call.spec.type, std::move(call.arguments));
}

}  // namespace reprise
