// empty_to_null(text): null where the string is empty, which no name of a partition's folder can
// say (Spark's Empty2Null, below writes by partition).
//   empty_to_null(["a", "", null]) = ["a", null, null]
#include <arrow/util/bitmap_ops.h>

#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/string_values.h"

namespace reprise {

namespace {

class EmptyToNull : public Expression {
 public:
  explicit EmptyToNull(FunctionCall call)
      : Expression(call.spec.type, call.arguments[0]->can_fail()),
        text_(std::move(call.arguments[0])) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    ARROW_ASSIGN_OR_RAISE(Column column, text_->Evaluate(input));
    const AnyStrings texts(column);
    if (column.is_scalar()) {
      return column.scalar->is_valid && texts[0].empty() ? NullColumn(type()) : column;
    }
    const int64_t row_count = column.array->length();
    std::vector<int32_t> empty;
    for (int64_t row = 0; row < row_count; ++row) {
      if (texts[row].empty() && column.array->IsValid(row)) {
        empty.push_back(static_cast<int32_t>(row));
      }
    }
    if (empty.empty()) return column;
    ARROW_ASSIGN_OR_RAISE(const Nulls before, UnionOfNulls({&column, 1}, row_count, input.pool()));
    ARROW_ASSIGN_OR_RAISE(const Nulls nulls, WithNullAt(before, empty, row_count, input.pool()));
    return WithNulls(*column.array, nulls, input.pool());
  }

 private:
  /// The same values under other nulls, whose bits begin where the values' do.
  static Result<Column> WithNulls(const arrow::Array& array, const Nulls& nulls,
                                  arrow::MemoryPool* pool) {
    auto data = array.data()->Copy();
    const int64_t bits = array.offset() + array.length();
    ARROW_ASSIGN_OR_RAISE(auto validity, arrow::AllocateEmptyBitmap(bits, pool));
    arrow::internal::CopyBitmap(nulls.bits->data(), 0, array.length(), validity->mutable_data(),
                                array.offset());
    data->buffers[0] = std::move(validity);
    data->SetNullCount(nulls.count);
    return Column{arrow::MakeArray(std::move(data)), nullptr};
  }

  std::unique_ptr<Expression> text_;
};

}  // namespace

MadeExpression MakeEmptyToNull(FunctionCall call) {
  return std::make_unique<EmptyToNull>(std::move(call));
}

}  // namespace reprise
