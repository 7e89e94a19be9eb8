// array_item: an element of an array by its place, as Spark's GetArrayItem.
// Input: an array, an integer from 0 on; attribute "ansi". Output: the element's type; null where
// the array, the place or the element is null. A place outside of the array is null, under ansi an
// error.
// element_at: the same by a place from 1 on, or from -1 on from the end, as ElementAt. Place 0 is
// an error. Of a map it is the value at a key (lookups.cc).
//   array_item([7, null], 0) = 7;  element_at([7, null], -2) = 7
#include "expressions/functions.h"
#include "expressions/nested/made_array.h"
#include "expressions/nested/nested_values.h"
#include "expressions/null_intolerant.h"
#include "expressions/scatter.h"
#include "expressions/spark_errors.h"
#include "expressions/values.h"
#include "transitions/item_column.h"

namespace reprise {

namespace {

/// Places as array_item counts them.
struct FromZero {
  static constexpr bool kHasErrors = false;
  static Result<int64_t> PlaceOf(int32_t index, int64_t) { return index; }
  static Status Outside(int32_t index, int64_t count) { return InvalidArrayIndex(index, count); }
};

/// Places as element_at counts them.
struct FromOneOrTheEnd {
  static constexpr bool kHasErrors = true;
  static Result<int64_t> PlaceOf(int32_t index, int64_t count) {
    if (index == 0) return InvalidIndexOfZero();
    return index > 0 ? index - 1 : count + index;
  }
  static Status Outside(int32_t index, int64_t count) {
    return InvalidIndexInElementAt(index, count);
  }
};

template <typename Index, typename Places>
class ArrayItem final : public NullIntolerant {
 public:
  ArrayItem(FunctionCall call, bool ansi)
      : NullIntolerant(call.spec.type, std::move(call.arguments), ansi || Places::kHasErrors),
        ansi_(ansi) {}

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
      const auto index = static_cast<int32_t>(places[row]);
      ARROW_ASSIGN_OR_RAISE(const int64_t place, Places::PlaceOf(index, items.count));
      if (place >= 0 && place < items.count) {
        RETURN_NOT_OK(elements.Append(items, place, elements.element_bytes()));
      } else if (ansi_) {
        return Places::Outside(index, items.count);
      } else {
        RETURN_NOT_OK(elements.AppendNull());
      }
    }
    return elements.Finish();
  }

 private:
  const bool ansi_;
};

/// The same of an array that is made for it alone, out of these values: no array is written.
template <typename Index, typename Places>
class ChosenValue final : public Expression {
 public:
  using Expressions = std::vector<std::unique_ptr<Expression>>;

  ChosenValue(DataType type, Expressions values, std::unique_ptr<Expression> place, bool ansi)
      : Expression(std::move(type),
                   ansi || Places::kHasErrors || AnyCanFail(values) || place->can_fail()),
        values_(std::move(values)),
        place_(std::move(place)),
        ansi_(ansi) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    std::vector<Column> columns;
    for (const auto& value : values_) {
      ARROW_ASSIGN_OR_RAISE(auto array, EvaluateToArray(*value, input));
      columns.push_back({std::move(array), nullptr});
    }
    ARROW_ASSIGN_OR_RAISE(const Column places, place_->Evaluate(input));
    if (input.row_count() == 0 || IsNullScalar(places)) return NullColumn(type());
    ARROW_ASSIGN_OR_RAISE(const auto rows, RowsByPlace(places, input.row_count()));
    std::vector<Piece> pieces;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (std::ssize(rows[i]) == input.row_count()) return columns[i];
      if (!rows[i].empty()) pieces.push_back({columns[i], rows[i], /*dense=*/true});
    }
    if (pieces.empty()) return NullColumn(type());
    ARROW_ASSIGN_OR_RAISE(auto array, Scatter(type(), pieces, input.row_count(), input.pool()));
    return Column{std::move(array), nullptr};
  }

 private:
  Result<std::vector<std::vector<int32_t>>> RowsByPlace(const Column& column,
                                                        int64_t row_count) const {
    const AnyValues<Index> places(column);
    const auto count = std::ssize(values_);
    std::vector<std::vector<int32_t>> rows(values_.size());
    for (int64_t row = 0; row < row_count; ++row) {
      if (!IsValidAt(column, row)) continue;
      const auto index = static_cast<int32_t>(places[row]);
      ARROW_ASSIGN_OR_RAISE(const int64_t place, Places::PlaceOf(index, count));
      if (place >= 0 && place < count) {
        rows[static_cast<size_t>(place)].push_back(static_cast<int32_t>(row));
      } else if (ansi_) {
        return Places::Outside(index, count);
      }
    }
    return rows;
  }

  const Expressions values_;
  const std::unique_ptr<Expression> place_;
  const bool ansi_;
};

template <typename Places>
MadeExpression MakeItem(FunctionCall call) {
  const auto nested = ParseNestedType(call.arguments[0]->type());
  if (!nested || nested->form != NestedType::Form::kArray) {
    return Status::NotImplemented(call.spec.function, " of ", call.arguments[0]->type().ToString());
  }
  if (!HoldsPlainly(nested->parts[0], call.spec.type)) {
    return Status::Invalid(call.spec.function, " gives ", call.spec.type.ToString(),
                           ", the array's elements are of another type");
  }
  ARROW_ASSIGN_OR_RAISE(const bool ansi, BooleanAttribute(call.spec, "ansi"));
  if (!call.arguments[1]->type().is_integral()) {
    return Status::NotImplemented(call.spec.function, " with a place that is no integer");
  }
  return VisitStorage(call.arguments[1]->type(), [&]<typename T>() -> MadeExpression {
    if constexpr (std::is_integral_v<T>) {
      if (auto values = TakeElements(call.arguments[0].get()); !values.empty()) {
        return std::make_unique<ChosenValue<T, Places>>(call.spec.type, std::move(values),
                                                        std::move(call.arguments[1]), ansi);
      }
      return std::make_unique<ArrayItem<T, Places>>(std::move(call), ansi);
    } else {
      return Status::NotImplemented(call.spec.function, " with a place that is no integer");
    }
  });
}

}  // namespace

MadeExpression MakeArrayItem(FunctionCall call) { return MakeItem<FromZero>(std::move(call)); }

MadeExpression MakeElementAt(FunctionCall call) {
  return MakeItem<FromOneOrTheEnd>(std::move(call));
}

}  // namespace reprise
