// zip_with: what a lambda gives for the elements of two arrays, pair by pair, as Spark's ZipWith.
// Input: two arrays, a lambda of an element of each. Output: an array, as long as the longer one;
// the other's missing elements are null. Null where an array is null.
//   zip_with([1, 2], [3], (x, y) -> coalesce(y, x)) = [3, 2]
#include <algorithm>

#include "expressions/nested/lambda.h"
#include "expressions/nested/nested_values.h"
#include "expressions/scatter.h"
#include "plan/item_types.h"
#include "plan/value_form.h"
#include "transitions/item_column.h"

namespace reprise {

namespace {

/// Makes pairs of the elements of two arrays.
class Pairs {
 public:
  static Result<Pairs> Make(const DataType& left, const DataType& right, arrow::MemoryPool* pool) {
    ARROW_ASSIGN_OR_RAISE(ItemColumn left_column, ItemColumn::Make(left, pool));
    ARROW_ASSIGN_OR_RAISE(ItemColumn right_column, ItemColumn::Make(right, pool));
    return Pairs(std::move(left_column), std::move(right_column));
  }

  /// Gives how many pairs there are.
  Result<int64_t> Append(NestedBytes left, NestedBytes right) {
    ARROW_ASSIGN_OR_RAISE(const NestedItems left_items, ElementsOf(left));
    ARROW_ASSIGN_OR_RAISE(const NestedItems right_items, ElementsOf(right));
    const int64_t count = std::max(left_items.count, right_items.count);
    for (int64_t item = 0; item < count; ++item) {
      RETURN_NOT_OK(AppendItem(left_items, item, &left_));
      RETURN_NOT_OK(AppendItem(right_items, item, &right_));
    }
    return count;
  }

  Result<arrow::ArrayVector> Finish() {
    ARROW_ASSIGN_OR_RAISE(auto left, left_.Finish());
    ARROW_ASSIGN_OR_RAISE(auto right, right_.Finish());
    return arrow::ArrayVector{std::move(left), std::move(right)};
  }

 private:
  Pairs(ItemColumn left, ItemColumn right) : left_(std::move(left)), right_(std::move(right)) {}

  static Status AppendItem(const NestedItems& items, int64_t item, ItemColumn* column) {
    if (item >= items.count) return column->AppendNull();
    return column->Append(items, item, column->element_bytes());
  }

  ItemColumn left_;
  ItemColumn right_;
};

class ZipWith final : public Expression {
 public:
  ZipWith(FunctionCall call, Lambda lambda)
      : Expression(call.spec.type, call.arguments[0]->can_fail() || call.arguments[1]->can_fail() ||
                                       lambda.can_fail()),
        left_(std::move(call.arguments[0])),
        right_(std::move(call.arguments[1])),
        lambda_(std::move(lambda)) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    arrow::MemoryPool* const pool = input.pool();
    ARROW_ASSIGN_OR_RAISE(const auto left, EvaluateToArray(*left_, input));
    ARROW_ASSIGN_OR_RAISE(const auto right, EvaluateRight(input, *left));
    const Column both[] = {{left, nullptr}, {right, nullptr}};
    ARROW_ASSIGN_OR_RAISE(const Nulls nulls, UnionOfNulls(both, input.row_count(), pool));
    ARROW_ASSIGN_OR_RAISE(Pairs pairs,
                          Pairs::Make(lambda_.variable_type(0), lambda_.variable_type(1), pool));
    const NestedValues lefts(*left);
    const NestedValues rights(*right);
    ARROW_ASSIGN_OR_RAISE(
        const FlatLists flat,
        FlattenRows(
            input.row_count(), {nulls.bits, nulls.count},
            [&](int64_t row) { return pairs.Append(lefts[row], rights[row]); }, pool));
    ARROW_ASSIGN_OR_RAISE(const auto variables, pairs.Finish());
    ARROW_ASSIGN_OR_RAISE(const auto made, lambda_.EvaluateEach(input, flat, variables));
    ARROW_ASSIGN_OR_RAISE(auto arrays, StoredArrays(flat.lists, lambda_.type(), *made, pool));
    return Column{std::move(arrays), nullptr};
  }

 private:
  /// Only of the rows where the left array is not null.
  Result<std::shared_ptr<arrow::Array>> EvaluateRight(EvalInput& input,
                                                      const arrow::Array& left) const {
    if (left.null_count() == 0 || !right_->can_fail()) return EvaluateToArray(*right_, input);
    std::vector<int32_t> rows = AllRows(input.row_count());
    std::erase_if(rows, [&](int32_t row) { return left.IsNull(row); });
    ARROW_ASSIGN_OR_RAISE(const Piece piece, EvaluatePiece(*right_, input, rows));
    return Scatter(right_->type(), {&piece, 1}, input.row_count(), input.pool());
  }

  const std::unique_ptr<Expression> left_;
  const std::unique_ptr<Expression> right_;
  const Lambda lambda_;
};

}  // namespace

MadeExpression MakeZipWith(FunctionCall call) {
  const auto left = ElementTypeOf(call.arguments[0]->type());
  const auto right = ElementTypeOf(call.arguments[1]->type());
  ARROW_ASSIGN_OR_RAISE(Lambda lambda, Lambda::TakenFrom(&call, 2, /*variables_at_most=*/2));
  const bool fits = left && right && lambda.variable_count() == 2 &&
                    HaveSameForm(lambda.variable_type(0), *left) &&
                    HaveSameForm(lambda.variable_type(1), *right);
  if (!fits) {
    return Status::Invalid("zip_with's lambda is not of the elements of ",
                           call.arguments[0]->type().ToString(), " and ",
                           call.arguments[1]->type().ToString());
  }
  return std::make_unique<ZipWith>(std::move(call), std::move(lambda));
}

}  // namespace reprise
