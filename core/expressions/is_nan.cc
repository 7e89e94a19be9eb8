// is_nan: whether a floating-point number is none.
// Input: one float or double. Output: boolean, false for null, never null (Spark's IsNaN).
//   is_nan([1.5, NaN, null]) = [false, true, false]
#include <arrow/util/bit_util.h>

#include "expressions/functions.h"
#include "expressions/values.h"

namespace reprise {

namespace {

template <typename T>
class IsNan : public Expression {
 public:
  explicit IsNan(FunctionCall call)
      : Expression(call.spec.type, call.arguments[0]->can_fail()),
        argument_(std::move(call.arguments[0])) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    ARROW_ASSIGN_OR_RAISE(const Column column, argument_->Evaluate(input));
    if (column.is_scalar()) {
      const T value = column.scalar->is_valid ? ConstantOf<T>(*column.scalar) : T{0};
      const bool is_nan = value != value;
      return Column{nullptr, std::make_shared<arrow::BooleanScalar>(is_nan)};
    }
    const AnyValues<T> values(column);
    const int64_t rows = column.array->length();
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                          arrow::AllocateEmptyBitmap(rows, input.pool()));
    for (int64_t row = 0; row < rows; ++row) {
      if (values[row] != values[row] && column.array->IsValid(row)) {
        arrow::bit_util::SetBit(bits->mutable_data(), row);
      }
    }
    return Column{std::make_shared<arrow::BooleanArray>(rows, std::move(bits)), nullptr};
  }

 private:
  std::unique_ptr<Expression> argument_;
};

}  // namespace

MadeExpression MakeIsNan(FunctionCall call) {
  if (call.arguments[0]->type().is(TypeKind::kFloat)) {
    return std::make_unique<IsNan<float>>(std::move(call));
  }
  return std::make_unique<IsNan<double>>(std::move(call));
}

}  // namespace reprise
