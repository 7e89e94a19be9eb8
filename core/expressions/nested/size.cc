// size: how many elements an array has, or entries a map, as Spark's Size.
// Input: an array or a map; attribute "legacy": null has -1, else null. Output: int.
//   size([7, null]) = 2
#include <arrow/builder.h>

#include "expressions/functions.h"
#include "expressions/nested/nested_values.h"
#include "expressions/null_intolerant.h"

namespace reprise {

namespace {

class CollectionSize final : public Expression {
 public:
  CollectionSize(FunctionCall call, bool is_map, bool is_legacy)
      : Expression(call.spec.type, call.arguments[0]->can_fail()),
        argument_(std::move(call.arguments[0])),
        is_map_(is_map),
        is_legacy_(is_legacy) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    ARROW_ASSIGN_OR_RAISE(const auto collections, EvaluateToArray(*argument_, input));
    const NestedValues values(*collections);
    arrow::Int32Builder sizes(input.pool());
    RETURN_NOT_OK(sizes.Reserve(input.row_count()));
    for (int64_t row = 0; row < input.row_count(); ++row) {
      if (!values.IsNull(row)) {
        ARROW_ASSIGN_OR_RAISE(const int64_t count, CountOf(values[row]));
        sizes.UnsafeAppend(static_cast<int32_t>(count));
      } else if (is_legacy_) {
        sizes.UnsafeAppend(-1);
      } else {
        sizes.UnsafeAppendNull();
      }
    }
    ARROW_ASSIGN_OR_RAISE(auto array, sizes.Finish());
    return Column{std::move(array), nullptr};
  }

 private:
  Result<int64_t> CountOf(NestedBytes value) const {
    if (is_map_) {
      ARROW_ASSIGN_OR_RAISE(const NestedMap map, EntriesOf(value));
      return map.keys.count;
    }
    ARROW_ASSIGN_OR_RAISE(const NestedItems items, ElementsOf(value));
    return items.count;
  }

  std::unique_ptr<Expression> argument_;
  const bool is_map_;
  const bool is_legacy_;
};

}  // namespace

MadeExpression MakeSize(FunctionCall call) {
  const auto nested = ParseNestedType(call.arguments[0]->type());
  const bool is_map = nested && nested->form == NestedType::Form::kMap;
  if (!is_map && !(nested && nested->form == NestedType::Form::kArray)) {
    return Status::NotImplemented("size of ", call.arguments[0]->type().ToString());
  }
  ARROW_ASSIGN_OR_RAISE(const bool is_legacy, BooleanAttribute(call.spec, "legacy"));
  return std::make_unique<CollectionSize>(std::move(call), is_map, is_legacy);
}

}  // namespace reprise
