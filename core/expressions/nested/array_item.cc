// array_item: an element of an array by its place, as Spark's GetArrayItem.
// Input: an array, an integer from 0 on; attribute "ansi". Output: the element's type; null where
// the array, the place or the element is null. A place outside of the array is null, under ansi an
// error.
//   array_item([7, null], 0) = 7
#include "expressions/functions.h"
#include "expressions/nested/nested_values.h"
#include "expressions/null_intolerant.h"
#include "expressions/spark_errors.h"
#include "expressions/values.h"
#include "transitions/item_column.h"

namespace reprise {

namespace {

template <typename Index>
class ArrayItem final : public NullIntolerant {
 public:
  ArrayItem(FunctionCall call, bool ansi)
      : NullIntolerant(call.spec.type, std::move(call.arguments), ansi), ansi_(ansi) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const NestedValues arrays(*arguments[0].array);
    const AnyValues<Index> places(arguments[1]);
    ARROW_ASSIGN_OR_RAISE(ItemColumn elements, ItemColumn::Make(type(), pool));
    for (int64_t row = 0; row < row_count; ++row) {
      if (!nulls.IsValid(row)) {
        RETURN_NOT_OK(elements.AppendNull());
        continue;
      }
      ARROW_ASSIGN_OR_RAISE(const NestedItems items, ElementsOf(arrays[row]));
      const auto place = static_cast<int32_t>(places[row]);
      if (place >= 0 && place < items.count) {
        RETURN_NOT_OK(elements.Append(items, place, elements.element_bytes()));
      } else if (ansi_) {
        return InvalidArrayIndex(place, items.count);
      } else {
        RETURN_NOT_OK(elements.AppendNull());
      }
    }
    return elements.Finish();
  }

 private:
  const bool ansi_;
};

}  // namespace

MadeExpression MakeArrayItem(FunctionCall call) {
  const auto nested = ParseNestedType(call.arguments[0]->type());
  if (!nested || nested->form != NestedType::Form::kArray) {
    return Status::NotImplemented("array_item of ", call.arguments[0]->type().ToString());
  }
  if (!HoldsPlainly(nested->parts[0], call.spec.type)) {
    return Status::Invalid("array_item gives ", call.spec.type.ToString(),
                           ", the array's elements are of another type");
  }
  ARROW_ASSIGN_OR_RAISE(const bool ansi, BooleanAttribute(call.spec, "ansi"));
  return VisitStorage(call.arguments[1]->type(), [&]<typename T>() -> MadeExpression {
    if constexpr (std::is_integral_v<T>) {
      return std::make_unique<ArrayItem<T>>(std::move(call), ansi);
    } else {
      return Status::NotImplemented("array_item with a place that is no integer");
    }
  });
}

}  // namespace reprise
