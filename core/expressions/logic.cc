// and, or, not: three-valued logic.
//   and(null, false) = false; or(null, true) = true; not(null) = null
// Input: boolean arguments. Output: boolean. The right side of AND is not evaluated where the left
// is false, that of OR not where the left is true (Spark's And, Or).
#include <arrow/util/bitmap_ops.h>

#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/scatter.h"
#include "expressions/values.h"

namespace reprise {

namespace {

// 64 rows a word; a row with neither bit is null.
struct TriState {
  std::vector<uint64_t> is_true;
  std::vector<uint64_t> is_false;
};

int64_t WordCount(int64_t rows) { return (rows + 63) / 64; }

TriState ToTriState(const Column& column, int64_t row_count) {
  const int64_t words = WordCount(row_count);
  TriState state;
  if (column.is_scalar()) {
    const bool valid = column.scalar->is_valid;
    const bool value = valid && ConstantOf<bool>(*column.scalar);
    state.is_true.assign(words, value ? ~0ULL : 0);
    state.is_false.assign(words, valid && !value ? ~0ULL : 0);
    return state;
  }
  const arrow::Array& array = *column.array;
  state.is_true.assign(words, 0);
  std::vector<uint64_t> valid(words, ~0ULL);
  arrow::internal::CopyBitmap(array.data()->buffers[1]->data(), array.offset(), row_count,
                              reinterpret_cast<uint8_t*>(state.is_true.data()), 0);
  if (array.null_count() > 0) {
    arrow::internal::CopyBitmap(array.null_bitmap_data(), array.offset(), row_count,
                                reinterpret_cast<uint8_t*>(valid.data()), 0);
  }
  state.is_false.resize(words);
  for (int64_t i = 0; i < words; ++i) {
    state.is_false[i] = valid[i] & ~state.is_true[i];
    state.is_true[i] &= valid[i];
  }
  return state;
}

Result<Column> FromTriState(const TriState& state, int64_t row_count, arrow::MemoryPool* pool) {
  const int64_t bytes = WordCount(row_count) * 8;
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> values, arrow::AllocateBuffer(bytes, pool));
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> valid, arrow::AllocateBuffer(bytes, pool));
  uint64_t* valid_words = reinterpret_cast<uint64_t*>(valid->mutable_data());
  std::memcpy(values->mutable_data(), state.is_true.data(), bytes);
  for (size_t i = 0; i < state.is_true.size(); ++i) {
    valid_words[i] = state.is_true[i] | state.is_false[i];
  }
  const int64_t nulls = row_count - arrow::internal::CountSetBits(valid->data(), 0, row_count);
  if (nulls == 0) valid = nullptr;
  return Column{arrow::MakeArray(arrow::ArrayData::Make(
                    arrow::boolean(), row_count, {std::move(valid), std::move(values)}, nulls)),
                nullptr};
}

// AND where `kDecides` is false, OR where it is true: the left value that decides the result alone.
template <bool kDecides>
class Connective : public Expression {
 public:
  Connective(std::unique_ptr<Expression> left, std::unique_ptr<Expression> right)
      : Expression(left->type(), left->can_fail() || right->can_fail()),
        left_(std::move(left)),
        right_(std::move(right)) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    const int64_t row_count = input.row_count();
    if (row_count == 0) return NullColumn(type());
    ARROW_ASSIGN_OR_RAISE(Column left, left_->Evaluate(input));
    if (left.is_scalar() && left.scalar->is_valid && ConstantOf<bool>(*left.scalar) == kDecides) {
      return left;
    }
    TriState l = ToTriState(left, row_count);
    ARROW_ASSIGN_OR_RAISE(Column right, EvaluateRight(l, input));
    const TriState r = ToTriState(right, row_count);
    auto& any = kDecides ? l.is_true : l.is_false;
    auto& both = kDecides ? l.is_false : l.is_true;
    const auto& right_any = kDecides ? r.is_true : r.is_false;
    const auto& right_both = kDecides ? r.is_false : r.is_true;
    for (size_t i = 0; i < any.size(); ++i) {
      any[i] |= right_any[i];
      both[i] &= right_both[i];
    }
    return FromTriState(l, row_count, input.pool());
  }

 private:
  Result<Column> EvaluateRight(const TriState& left, EvalInput& input) const {
    if (!right_->can_fail()) return right_->Evaluate(input);
    const auto& decided = kDecides ? left.is_true : left.is_false;
    std::vector<int32_t> rows;
    for (int64_t row = 0; row < input.row_count(); ++row) {
      if (!(decided[row / 64] >> (row % 64) & 1)) rows.push_back(static_cast<int32_t>(row));
    }
    ARROW_ASSIGN_OR_RAISE(Piece piece, EvaluatePiece(*right_, input, rows));
    if (piece.dense) return piece.column;
    ARROW_ASSIGN_OR_RAISE(auto array,
                          Scatter(type(), std::span(&piece, 1), input.row_count(), input.pool()));
    return Column{std::move(array), nullptr};
  }

  std::unique_ptr<Expression> left_;
  std::unique_ptr<Expression> right_;
};

class Not : public NullIntolerant {
 public:
  explicit Not(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    TriState state = ToTriState(arguments[0], row_count);
    std::swap(state.is_true, state.is_false);
    ARROW_ASSIGN_OR_RAISE(Column column, FromTriState(state, row_count, pool));
    return column.array;
  }
};

// Arguments two and more: and(a, b, c) is and(and(a, b), c).
template <bool kDecides>
MadeExpression MakeConnective(FunctionCall call) {
  std::unique_ptr<Expression> result = std::move(call.arguments[0]);
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    result =
        std::make_unique<Connective<kDecides>>(std::move(result), std::move(call.arguments[i]));
  }
  return result;
}

}  // namespace

MadeExpression MakeAnd(FunctionCall call) { return MakeConnective<false>(std::move(call)); }
MadeExpression MakeOr(FunctionCall call) { return MakeConnective<true>(std::move(call)); }
MadeExpression MakeNot(FunctionCall call) { return std::make_unique<Not>(std::move(call)); }

}  // namespace reprise
