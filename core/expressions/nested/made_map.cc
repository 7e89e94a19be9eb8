// make_map: a map of keys that are different constants, as Spark's CreateMap.
// Input: a key, its value, the next key and so on. Output: a map, never null; its bytes are those
// of Spark's UnsafeMapData.
//   make_map('a', 7, 'b', null) = {'a': 7, 'b': null}
#include <arrow/builder.h>

#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "plan/item_types.h"
#include "plan/value_form.h"
#include "transitions/stored_column.h"

namespace reprise {

namespace {

class MadeMap final : public Expression {
 public:
  MadeMap(FunctionCall call, EntryTypes types)
      : Expression(call.spec.type, AnyCanFail(call.arguments)), types_(std::move(types)) {
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      (i % 2 == 0 ? keys_ : values_).push_back(std::move(call.arguments[i]));
    }
  }

  Result<Column> Evaluate(EvalInput& input) const override {
    const int64_t rows = input.row_count();
    const int64_t entries = std::ssize(keys_) * rows;
    if (entries > std::numeric_limits<int32_t>::max()) {
      return Status::CapacityError("maps of ", rows, " rows have more than 2^31 entries");
    }
    ARROW_ASSIGN_OR_RAISE(const auto keys, RowByRow(keys_, input));
    ARROW_ASSIGN_OR_RAISE(const auto values, RowByRow(values_, input));
    StoredLists lists{rows, nullptr, {}};
    arrow::TypedBufferBuilder<int32_t> offsets(input.pool());
    RETURN_NOT_OK(offsets.Reserve(rows + 1));
    for (int64_t row = 0; row <= rows; ++row) {
      offsets.UnsafeAppend(static_cast<int32_t>(row * std::ssize(keys_)));
    }
    ARROW_ASSIGN_OR_RAISE(lists.offsets, offsets.Finish());
    ARROW_ASSIGN_OR_RAISE(
        auto maps, StoredMaps(lists, types_.key, *keys, types_.value, *values, input.pool()));
    return Column{std::move(maps), nullptr};
  }

 private:
  using Expressions = std::vector<std::unique_ptr<Expression>>;

  /// One column of all values, those of a row beside each other.
  static Result<std::shared_ptr<arrow::Array>> RowByRow(const Expressions& expressions,
                                                        EvalInput& input) {
    arrow::ArrayVector columns;
    for (const auto& expression : expressions) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*expression, input));
      ARROW_ASSIGN_OR_RAISE(columns.emplace_back(), DecodeDictionary(column, input.pool()));
    }
    ARROW_ASSIGN_OR_RAISE(const auto all, arrow::Concatenate(columns, input.pool()));
    std::vector<int32_t> places;
    for (int64_t row = 0; row < input.row_count(); ++row) {
      for (int64_t i = 0; i < std::ssize(columns); ++i) {
        places.push_back(static_cast<int32_t>(i * input.row_count() + row));
      }
    }
    return Gather(*all, places, input.pool());
  }

  Expressions keys_;
  Expressions values_;
  const EntryTypes types_;
};

}  // namespace

MadeExpression MakeMap(FunctionCall call) {
  auto types = EntryTypesOf(call.spec.type);
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const DataType& given = call.arguments[i]->type();
    if (types && HaveSameForm(given, i % 2 == 0 ? types->key : types->value)) continue;
    return Status::Invalid("a key or value of ", call.spec.type.ToString(), " is given as ",
                           given.ToString());
  }
  return std::make_unique<MadeMap>(std::move(call), *std::move(types));
}

}  // namespace reprise
