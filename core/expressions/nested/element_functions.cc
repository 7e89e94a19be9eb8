// Functions that call a lambda for each element of an array.
// transform: the array of what it gives, as Spark's ArrayTransform. Input: an array, a lambda of
// the element and, if it wants it, the element's place from 0. Output: an array.
// filter: the elements for which it is true, as ArrayFilter.
// exists, forall: whether it is true of one, or of all, as ArrayExists and ArrayForAll. Elements
// behind the one that decides are not looked at. Attribute of exists, "three_valued": null where it
// is null of one and true of none.
//   transform([1, 2], (x, i) -> x + i) = [1, 3]
//   exists([1, 0], x -> 1 / x > 0) = true
#include <arrow/builder.h>

#include <algorithm>

#include "expressions/nested/array_functions.h"
#include "expressions/row_error.h"
#include "expressions/scatter.h"
#include "plan/item_types.h"
#include "plan/value_form.h"

namespace reprise {

Result<Column> ElementFunction::Evaluate(EvalInput& input) const {
  arrow::ArrayVector variables;
  ARROW_ASSIGN_OR_RAISE(const FlatArrays arrays, Arrays(input, &variables));
  ARROW_ASSIGN_OR_RAISE(auto made, Of(input, arrays, variables));
  return Column{std::move(made), nullptr};
}

Result<FlatArrays> ElementFunction::Arrays(EvalInput& input, arrow::ArrayVector* variables) const {
  ARROW_ASSIGN_OR_RAISE(FlatArrays arrays, EvaluateFlat(*array_, lambda_.variable_type(0), input));
  variables->push_back(arrays.elements);
  if (lambda_.variable_count() > 1) {
    ARROW_ASSIGN_OR_RAISE(variables->emplace_back(), PlacesIn(arrays, input.pool()));
  }
  return arrays;
}

Result<Lambda> LambdaOfElements(FunctionCall* call, size_t variables_at_most) {
  const auto element = ElementTypeOf(call->arguments[0]->type());
  if (!element) {
    return Status::NotImplemented(call->spec.function, " of ",
                                  call->arguments[0]->type().ToString());
  }
  ARROW_ASSIGN_OR_RAISE(Lambda lambda, Lambda::TakenFrom(call, 1, variables_at_most));
  if (!HaveSameForm(lambda.variable_type(0), *element)) {
    return Status::Invalid("the lambda of ", call->spec.function, " is of ",
                           lambda.variable_type(0).ToString(), ", the elements are ",
                           element->ToString());
  }
  return lambda;
}

namespace {

class Transform final : public ElementFunction, public ArraysByElement {
 public:
  using ElementFunction::ElementFunction;

  Result<FlatArrays> EvaluateElements(EvalInput& input) const override {
    arrow::ArrayVector variables;
    ARROW_ASSIGN_OR_RAISE(FlatArrays arrays, Arrays(input, &variables));
    ARROW_ASSIGN_OR_RAISE(auto made, lambda().EvaluateEach(input, arrays, variables));
    ARROW_ASSIGN_OR_RAISE(arrays.elements, DecodeDictionary(made, input.pool()));
    return arrays;
  }

 private:
  Result<std::shared_ptr<arrow::Array>> Of(EvalInput& input, const FlatArrays& arrays,
                                           const arrow::ArrayVector& variables) const override {
    ARROW_ASSIGN_OR_RAISE(const auto made, lambda().EvaluateEach(input, arrays, variables));
    return StoredArrays(arrays.lists, lambda().type(), *made, input.pool());
  }
};

/// What a condition says of an element.
enum class Truth : int8_t { kFalse, kTrue, kNull };

Truth TruthAt(const arrow::Array& condition, int64_t element) {
  if (condition.IsNull(element)) return Truth::kNull;
  return static_cast<const arrow::BooleanArray&>(condition).Value(element) ? Truth::kTrue
                                                                           : Truth::kFalse;
}

class Filter final : public ElementFunction {
 public:
  using ElementFunction::ElementFunction;

 private:
  Result<std::shared_ptr<arrow::Array>> Of(EvalInput& input, const FlatArrays& arrays,
                                           const arrow::ArrayVector& variables) const override {
    ARROW_ASSIGN_OR_RAISE(const auto condition, lambda().EvaluateEach(input, arrays, variables));
    std::vector<int32_t> kept;
    for (int64_t element = 0; element < arrays.count(); ++element) {
      if (TruthAt(*condition, element) == Truth::kTrue)
        kept.push_back(static_cast<int32_t>(element));
    }
    ARROW_ASSIGN_OR_RAISE(const auto elements, Gather(*arrays.elements, kept, input.pool()));
    ARROW_ASSIGN_OR_RAISE(const StoredLists lists, OnlyElements(arrays, kept, input.pool()));
    return StoredArrays(lists, lambda().variable_type(0), *elements, input.pool());
  }
};

/// Whether an element decides, which is what `decides` says of it; else `otherwise`, or null where
/// that is `null_counts`.
struct Quantifier {
  Truth decides;
  bool null_counts;

  Truth otherwise() const { return decides == Truth::kTrue ? Truth::kFalse : Truth::kTrue; }
};

class Quantified final : public ElementFunction {
 public:
  Quantified(DataType type, std::unique_ptr<Expression> array, Lambda lambda, Quantifier quantifier)
      : ElementFunction(std::move(type), std::move(array), std::move(lambda)),
        quantifier_(quantifier) {}

 private:
  Result<std::shared_ptr<arrow::Array>> Of(EvalInput& input, const FlatArrays& arrays,
                                           const arrow::ArrayVector& variables) const override {
    std::vector<Truth> truths(static_cast<size_t>(arrays.lists.count), quantifier_.otherwise());
    auto condition = lambda().EvaluateEach(input, arrays, variables);
    if (condition.ok()) {
      for (int64_t i = 0; i < arrays.count(); ++i) {
        Add(TruthAt(**condition, i), &truths[static_cast<size_t>(arrays.rows[i])]);
      }
    } else if (IsOfRow(condition.status())) {
      // Perhaps an element fails behind one that decides.
      RETURN_NOT_OK(LookOneByOne(input, arrays, variables, &truths));
    } else {
      return condition.status();
    }
    return Booleans(arrays, truths, input.pool());
  }

  /// What is known of an array, after one more of its elements.
  void Add(Truth element, Truth* array) const {
    if (*array == quantifier_.decides) return;
    if (element == quantifier_.decides) *array = element;
    if (element == Truth::kNull && quantifier_.null_counts) *array = element;
  }

  Status LookOneByOne(EvalInput& input, const FlatArrays& arrays,
                      const arrow::ArrayVector& variables, std::vector<Truth>* truths) const {
    std::vector<int32_t> open = AllRows(arrays.lists.count);
    for (int64_t place = 0;; ++place) {
      std::erase_if(open, [&](int32_t row) {
        return place >= arrays.length(row) ||
               (*truths)[static_cast<size_t>(row)] == quantifier_.decides;
      });
      if (open.empty()) return Status::OK();
      ARROW_ASSIGN_OR_RAISE(const auto condition,
                            lambda().EvaluateAt(input, arrays, open, place, variables));
      for (size_t i = 0; i < open.size(); ++i) {
        Add(TruthAt(*condition, static_cast<int64_t>(i)), &(*truths)[static_cast<size_t>(open[i])]);
      }
    }
  }

  static Result<std::shared_ptr<arrow::Array>> Booleans(const FlatArrays& arrays,
                                                        const std::vector<Truth>& truths,
                                                        arrow::MemoryPool* pool) {
    arrow::BooleanBuilder builder(pool);
    RETURN_NOT_OK(builder.Reserve(arrays.lists.count));
    for (int64_t row = 0; row < arrays.lists.count; ++row) {
      const Truth truth = truths[static_cast<size_t>(row)];
      if (arrays.lists.nulls.IsNull(row) || truth == Truth::kNull) {
        builder.UnsafeAppendNull();
      } else {
        builder.UnsafeAppend(truth == Truth::kTrue);
      }
    }
    return builder.Finish();
  }

  const Quantifier quantifier_;
};

MadeExpression MakeQuantified(FunctionCall call, Quantifier quantifier) {
  ARROW_ASSIGN_OR_RAISE(Lambda lambda, LambdaOfElements(&call, /*variables_at_most=*/1));
  return std::make_unique<Quantified>(call.spec.type, std::move(call.arguments[0]),
                                      std::move(lambda), quantifier);
}

}  // namespace

MadeExpression MakeTransform(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(Lambda lambda, LambdaOfElements(&call, /*variables_at_most=*/2));
  return std::make_unique<Transform>(call.spec.type, std::move(call.arguments[0]),
                                     std::move(lambda));
}

MadeExpression MakeFilter(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(Lambda lambda, LambdaOfElements(&call, /*variables_at_most=*/2));
  return std::make_unique<Filter>(call.spec.type, std::move(call.arguments[0]), std::move(lambda));
}

MadeExpression MakeExists(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(const bool three_valued, BooleanAttribute(call.spec, "three_valued"));
  return MakeQuantified(std::move(call), {Truth::kTrue, three_valued});
}

MadeExpression MakeForAll(FunctionCall call) {
  return MakeQuantified(std::move(call), {Truth::kFalse, true});
}

}  // namespace reprise
