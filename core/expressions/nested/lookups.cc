// Values of arrays and maps by what they are.
// map_value: the value at a key of a map, as Spark's GetMapValue and, of maps, ElementAt. Input: a
// map, a key. Output: the value's type; null where the map or the key is null, or the key is not
// there.
// array_contains: whether a value is among an array's elements, as ArrayContains. Input: an array,
// a value. Output: boolean; null where either is null, or the value is not there but a null is.
//   map_value({'a': 1}, 'b') = null;  array_contains([1, null], 2) = null
#include <arrow/builder.h>

#include "expressions/functions.h"
#include "expressions/nested/item_finder.h"
#include "expressions/nested/nested_values.h"
#include "expressions/null_intolerant.h"
#include "plan/item_types.h"
#include "plan/value_form.h"
#include "transitions/item_column.h"

namespace reprise {

namespace {

class MapValue final : public NullIntolerant {
 public:
  MapValue(FunctionCall call, DataType key_type)
      : NullIntolerant(call.spec.type, std::move(call.arguments), /*can_fail=*/false),
        key_type_(std::move(key_type)) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const NestedValues maps(*arguments[0].array);
    ARROW_ASSIGN_OR_RAISE(const auto keys, ItemFinder::Make(key_type_, arguments[1]));
    ARROW_ASSIGN_OR_RAISE(ItemColumn values, ItemColumn::Make(type(), pool));
    for (int64_t row = 0; row < row_count; ++row) {
      if (!nulls.IsValid(row)) {
        RETURN_NOT_OK(values.AppendNull());
        continue;
      }
      ARROW_ASSIGN_OR_RAISE(const NestedMap map, EntriesOf(maps[row]));
      ARROW_ASSIGN_OR_RAISE(const int64_t place, keys->Find(map.keys, row));
      RETURN_NOT_OK(place < 0 ? values.AppendNull()
                              : values.Append(map.values, place, values.element_bytes()));
    }
    return values.Finish();
  }

 private:
  const DataType key_type_;
};

class ArrayContains final : public NullIntolerant {
 public:
  explicit ArrayContains(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), /*can_fail=*/false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const NestedValues arrays(*arguments[0].array);
    ARROW_ASSIGN_OR_RAISE(const auto values, ItemFinder::Make(argument(1).type(), arguments[1]));
    arrow::BooleanBuilder contained(pool);
    RETURN_NOT_OK(contained.Reserve(row_count));
    for (int64_t row = 0; row < row_count; ++row) {
      if (!nulls.IsValid(row)) {
        contained.UnsafeAppendNull();
        continue;
      }
      ARROW_ASSIGN_OR_RAISE(const NestedItems items, ElementsOf(arrays[row]));
      ARROW_ASSIGN_OR_RAISE(const int64_t place, values->Find(items, row));
      if (place < 0 && HasNull(items)) {
        contained.UnsafeAppendNull();
      } else {
        contained.UnsafeAppend(place >= 0);
      }
    }
    return contained.Finish();
  }

 private:
  static bool HasNull(const NestedItems& items) {
    for (int64_t item = 0; item < items.count; ++item) {
      if (items.is_null(item)) return true;
    }
    return false;
  }
};

}  // namespace

MadeExpression MakeMapValue(FunctionCall call) {
  const auto entry = EntryTypesOf(call.arguments[0]->type());
  const bool fits = entry && HaveSameForm(entry->key, call.arguments[1]->type()) &&
                    HaveSameForm(entry->value, call.spec.type);
  if (!fits) {
    return Status::Invalid("map_value of ", call.arguments[0]->type().ToString(), " by ",
                           call.arguments[1]->type().ToString(), " gives no ",
                           call.spec.type.ToString());
  }
  return std::make_unique<MapValue>(std::move(call), entry->key);
}

MadeExpression MakeArrayContains(FunctionCall call) {
  const auto element = ElementTypeOf(call.arguments[0]->type());
  if (!element || !HaveSameForm(*element, call.arguments[1]->type())) {
    return Status::Invalid("array_contains looks for ", call.arguments[1]->type().ToString(),
                           " in ", call.arguments[0]->type().ToString());
  }
  return std::make_unique<ArrayContains>(std::move(call));
}

}  // namespace reprise
