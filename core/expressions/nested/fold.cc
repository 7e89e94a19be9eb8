// aggregate: an array folded into one value, as Spark's ArrayAggregate (aggregate, reduce).
// Input: an array; the value to start with; a lambda of what has been folded and the next element,
// which gives what is folded then; a lambda that makes the result of what it is in the end.
// Output: the result's type; null where the array is null.
//   aggregate([1, 2, 3], 0, (sum, x) -> sum + x, sum -> sum * 10) = 60
#include "expressions/nested/lambda.h"
#include "expressions/null_intolerant.h"
#include "expressions/scatter.h"
#include "plan/item_types.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

class Fold final : public Expression {
 public:
  Fold(FunctionCall call, Lambda merge, Lambda finish)
      : Expression(call.spec.type, call.arguments[0]->can_fail() || call.arguments[1]->can_fail() ||
                                       merge.can_fail() || finish.can_fail()),
        array_(std::move(call.arguments[0])),
        start_(std::move(call.arguments[1])),
        merge_(std::move(merge)),
        finish_(std::move(finish)) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    ARROW_ASSIGN_OR_RAISE(const FlatArrays arrays,
                          EvaluateFlat(*array_, merge_.variable_type(1), input));
    std::vector<int32_t> rows = AllRows(input.row_count());
    std::erase_if(rows, [&](int32_t row) { return arrays.lists.nulls.IsNull(row); });
    EvalInput some(input, rows);
    ARROW_ASSIGN_OR_RAISE(auto folded, EvaluateToArray(*start_, some));
    ARROW_ASSIGN_OR_RAISE(folded, DecodeDictionary(folded, input.pool()));
    ARROW_ASSIGN_OR_RAISE(folded, FoldElements(input, arrays, rows, std::move(folded)));
    ARROW_ASSIGN_OR_RAISE(auto finished, finish_.Evaluate(some, {std::move(folded)}));
    const Piece piece{{std::move(finished), nullptr}, rows, /*dense=*/false};
    ARROW_ASSIGN_OR_RAISE(auto made, Scatter(type(), {&piece, 1}, input.row_count(), input.pool()));
    return Column{std::move(made), nullptr};
  }

 private:
  /// `folded`: a value for each of `rows`. Place by place, over the rows that have an element
  /// there.
  Result<std::shared_ptr<arrow::Array>> FoldElements(EvalInput& input, const FlatArrays& arrays,
                                                     const std::vector<int32_t>& rows,
                                                     std::shared_ptr<arrow::Array> folded) const {
    std::vector<int32_t> open = AllRows(std::ssize(rows));  // places among `rows`
    for (int64_t place = 0;; ++place) {
      std::erase_if(open, [&](int32_t i) { return place >= arrays.length(rows[i]); });
      if (open.empty()) return folded;
      std::vector<int32_t> at;
      std::vector<int32_t> elements;
      for (const int32_t i : open) {
        at.push_back(rows[i]);
        elements.push_back(arrays.lists.offset(rows[i]) + static_cast<int32_t>(place));
      }
      ARROW_ASSIGN_OR_RAISE(auto before, Gather(*folded, open, input.pool()));
      ARROW_ASSIGN_OR_RAISE(auto element, Gather(*arrays.elements, elements, input.pool()));
      EvalInput some(input, at);
      ARROW_ASSIGN_OR_RAISE(auto after,
                            merge_.Evaluate(some, {std::move(before), std::move(element)}));
      ARROW_ASSIGN_OR_RAISE(folded,
                            Replaced(std::move(folded), std::move(after), open, input.pool()));
    }
  }

  /// `folded` with other values at the places `open`.
  Result<std::shared_ptr<arrow::Array>> Replaced(std::shared_ptr<arrow::Array> folded,
                                                 std::shared_ptr<arrow::Array> after,
                                                 const std::vector<int32_t>& open,
                                                 arrow::MemoryPool* pool) const {
    const int64_t count = folded->length();
    if (std::ssize(open) == count) return after;
    std::vector<int32_t> closed;
    size_t next = 0;
    for (int32_t i = 0; i < count; ++i) {
      if (next < open.size() && open[next] == i) {
        ++next;
      } else {
        closed.push_back(i);
      }
    }
    const Piece pieces[] = {{{std::move(after), nullptr}, open, /*dense=*/false},
                            {{std::move(folded), nullptr}, closed, /*dense=*/true}};
    return Scatter(merge_.type(), pieces, count, pool);
  }

  const std::unique_ptr<Expression> array_;
  const std::unique_ptr<Expression> start_;
  const Lambda merge_;
  const Lambda finish_;
};

}  // namespace

MadeExpression MakeFold(FunctionCall call) {
  const auto element = ElementTypeOf(call.arguments[0]->type());
  ARROW_ASSIGN_OR_RAISE(Lambda merge, Lambda::TakenFrom(&call, 2, /*variables_at_most=*/2));
  ARROW_ASSIGN_OR_RAISE(Lambda finish, Lambda::TakenFrom(&call, 3, /*variables_at_most=*/1));
  const DataType& folded = call.arguments[1]->type();
  const bool fits =
      element && merge.variable_count() == 2 && HaveSameForm(merge.variable_type(1), *element) &&
      HaveSameForm(merge.variable_type(0), folded) && HaveSameForm(merge.type(), folded) &&
      HaveSameForm(finish.variable_type(0), folded) && HaveSameForm(finish.type(), call.spec.type);
  if (!fits) {
    return Status::Invalid("the types of aggregate's lambdas do not go with ",
                           call.arguments[0]->type().ToString(), " and ", folded.ToString());
  }
  return std::make_unique<Fold>(std::move(call), std::move(merge), std::move(finish));
}

}  // namespace reprise
