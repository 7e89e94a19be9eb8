// is_null, is_not_null.
// Input: one argument of any type. Output: boolean, never null.
//   is_null([1, null]) = [false, true]
#include <arrow/util/bitmap_ops.h>

#include "expressions/functions.h"
#include "expressions/leaves.h"
#include "expressions/nulls.h"
#include "expressions/values.h"

namespace reprise {

namespace {

template <bool kWantNull>
class NullTest : public Expression {
 public:
  explicit NullTest(FunctionCall call)
      : Expression(call.spec.type, call.arguments[0]->can_fail()),
        argument_(std::move(call.arguments[0])) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    ARROW_ASSIGN_OR_RAISE(Column column, argument_->Evaluate(input));
    if (column.is_scalar() || column.array->null_count() == 0) {
      const bool is_null = column.is_scalar() && !column.scalar->is_valid;
      return Column{nullptr, std::make_shared<arrow::BooleanScalar>(is_null == kWantNull)};
    }
    const uint8_t* valid = column.array->null_bitmap_data();
    const int64_t offset = column.array->offset();
    const int64_t rows = column.array->length();
    std::shared_ptr<arrow::Buffer> values;
    if (kWantNull) {
      ARROW_ASSIGN_OR_RAISE(values,
                            arrow::internal::InvertBitmap(input.pool(), valid, offset, rows));
    } else {
      ARROW_ASSIGN_OR_RAISE(values, arrow::internal::CopyBitmap(input.pool(), valid, offset, rows));
    }
    return Column{std::make_shared<arrow::BooleanArray>(rows, std::move(values)), nullptr};
  }

  Result<int64_t> Select(const Batch& batch, RowSet rows, arrow::MemoryPool* pool,
                         int32_t* out) const override {
    const Column leaf = LeafOf(*argument_, batch);
    if (!leaf.array) return Expression::Select(batch, rows, pool, out);
    if (leaf.array->null_count() == 0) {
      return WriteSelection(rows, out, [](int64_t) { return !kWantNull; });
    }
    const uint8_t* valid = leaf.array->null_bitmap_data();
    const int64_t offset = leaf.array->offset();
    return WriteSelection(rows, out, [=](int64_t row) {
      return arrow::bit_util::GetBit(valid, offset + row) != kWantNull;
    });
  }

 private:
  std::unique_ptr<Expression> argument_;
};

}  // namespace

MadeExpression MakeIsNull(FunctionCall call) {
  return std::make_unique<NullTest<true>>(std::move(call));
}
MadeExpression MakeIsNotNull(FunctionCall call) {
  return std::make_unique<NullTest<false>>(std::move(call));
}

}  // namespace reprise
