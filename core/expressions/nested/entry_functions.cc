// Functions that call a lambda of key and value for each entry of a map.
// map_filter: the entries for which it is true, as Spark's MapFilter.
// transform_values: the keys, with what it gives as their values, as TransformValues.
// Input: a map, the lambda. Output: a map; null where the map is null.
//   transform_values({'a': 1}, (k, v) -> v + 1) = {'a': 2}
#include "expressions/nested/lambda.h"
#include "plan/item_types.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

class EntryFunction : public Expression {
 public:
  EntryFunction(DataType type, std::unique_ptr<Expression> map, Lambda lambda)
      : Expression(std::move(type), map->can_fail() || lambda.can_fail()),
        map_(std::move(map)),
        lambda_(std::move(lambda)) {}

  Result<Column> Evaluate(EvalInput& input) const final {
    ARROW_ASSIGN_OR_RAISE(const auto column, EvaluateToArray(*map_, input));
    ARROW_ASSIGN_OR_RAISE(const FlatMaps maps,
                          FlattenMaps(*column, key_type(), value_type(), input.pool()));
    ARROW_ASSIGN_OR_RAISE(const auto made,
                          lambda_.EvaluateEach(input, maps, {maps.keys, maps.values}));
    ARROW_ASSIGN_OR_RAISE(auto result, Of(maps, *made, input.pool()));
    return Column{std::move(result), nullptr};
  }

 protected:
  /// `made`: what the lambda gives for each entry.
  virtual Result<std::shared_ptr<arrow::Array>> Of(const FlatMaps& maps, const arrow::Array& made,
                                                   arrow::MemoryPool* pool) const = 0;

  const DataType& key_type() const { return lambda_.variable_type(0); }
  const DataType& value_type() const { return lambda_.variable_type(1); }
  const Lambda& lambda() const { return lambda_; }

 private:
  const std::unique_ptr<Expression> map_;
  const Lambda lambda_;
};

class TransformValues final : public EntryFunction {
 public:
  using EntryFunction::EntryFunction;

 private:
  Result<std::shared_ptr<arrow::Array>> Of(const FlatMaps& maps, const arrow::Array& made,
                                           arrow::MemoryPool* pool) const override {
    return StoredMaps(maps.lists, key_type(), *maps.keys, lambda().type(), made, pool);
  }
};

class MapFilter final : public EntryFunction {
 public:
  using EntryFunction::EntryFunction;

 private:
  Result<std::shared_ptr<arrow::Array>> Of(const FlatMaps& maps, const arrow::Array& made,
                                           arrow::MemoryPool* pool) const override {
    const auto& condition = static_cast<const arrow::BooleanArray&>(made);
    std::vector<int32_t> kept;
    for (int64_t entry = 0; entry < maps.count(); ++entry) {
      if (condition.IsValid(entry) && condition.Value(entry)) {
        kept.push_back(static_cast<int32_t>(entry));
      }
    }
    ARROW_ASSIGN_OR_RAISE(const auto keys, Gather(*maps.keys, kept, pool));
    ARROW_ASSIGN_OR_RAISE(const auto values, Gather(*maps.values, kept, pool));
    ARROW_ASSIGN_OR_RAISE(const StoredLists lists, OnlyElements(maps, kept, pool));
    return StoredMaps(lists, key_type(), *keys, value_type(), *values, pool);
  }
};

template <typename Function>
MadeExpression MakeEntryFunction(FunctionCall call) {
  const auto entry = EntryTypesOf(call.arguments[0]->type());
  ARROW_ASSIGN_OR_RAISE(Lambda lambda, Lambda::TakenFrom(&call, 1, /*variables_at_most=*/2));
  const bool fits = entry && lambda.variable_count() == 2 &&
                    HaveSameForm(lambda.variable_type(0), entry->key) &&
                    HaveSameForm(lambda.variable_type(1), entry->value);
  if (!fits) {
    return Status::Invalid("the lambda of ", call.spec.function, " is not of key and value of ",
                           call.arguments[0]->type().ToString());
  }
  return std::make_unique<Function>(call.spec.type, std::move(call.arguments[0]),
                                    std::move(lambda));
}

}  // namespace

MadeExpression MakeTransformValues(FunctionCall call) {
  return MakeEntryFunction<TransformValues>(std::move(call));
}

MadeExpression MakeMapFilter(FunctionCall call) {
  return MakeEntryFunction<MapFilter>(std::move(call));
}

}  // namespace reprise
