// add, subtract of decimals.
// Input: two decimals of any precision and scale; attribute `ansi`. Output: the specification's
// decimal type. The exact sum is rounded half up to its scale; what does not fit is null, or an
// error under ansi (Spark's Add, Subtract, Decimal.toPrecision).
//   add(decimal(3,2) 1.25, decimal(2,1) 0.5) = decimal(4,2) 1.75
#include <algorithm>

#include "expressions/decimal_binary.h"
#include "expressions/spark_errors.h"

namespace reprise {

namespace {

// The sum at the larger of the two scales, before it is brought to the result's type.
struct ExactSum {
  int scale;
  int precision;   // digits that it can have
  int left_shift;  // power of ten that brings the left side to that scale
  int right_shift;

  ExactSum(const DataType& left, const DataType& right)
      : scale(std::max(left.scale, right.scale)),
        precision(std::max(left.precision - left.scale, right.precision - right.scale) + scale + 1),
        left_shift(scale - left.scale),
        right_shift(scale - right.scale) {}

  bool Fits(const DataType& result) const {
    return result.scale == scale && result.precision >= precision;
  }
};

class DecimalSum : public DecimalBinary {
 public:
  DecimalSum(FunctionCall call, bool ansi, ExactSum exact, bool subtract)
      : DecimalBinary(std::move(call), ansi, ansi && !exact.Fits(call.spec.type)),
        exact_(exact),
        subtract_(subtract) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    if (exact_.Fits(type())) return ComputeExact(arguments, nulls, row_count, pool);
    return ComputeRows(
        arguments, nulls, row_count, pool, [this](Int128 a, Int128 b) { return Row(a, b); },
        [this](Int128 a, Int128 b) {
          const Int256 sum = WideSum(a, b);
          return NumericValueOutOfRange(PlainDecimal(sum.IsNegative(), DigitsOf(sum), exact_.scale),
                                        type().precision, type().scale);
        });
  }

 private:
  // No sum can overflow: plain loops, in 64 bits where the result has at most 18 digits.
  Result<std::shared_ptr<arrow::Array>> ComputeExact(const std::vector<Column>& arguments,
                                                     const Nulls& nulls, int64_t row_count,
                                                     arrow::MemoryPool* pool) const {
    ARROW_ASSIGN_OR_RAISE(
        auto values, VisitDecimals(arguments[0], left_type(), arguments[1], right_type(),
                                   [&](auto a, auto b) -> Result<std::shared_ptr<arrow::Buffer>> {
                                     if (type().is_short_decimal()) {
                                       return Sum<int64_t, uint64_t>(a, b, row_count, pool);
                                     }
                                     return Sum<Int128Cell, unsigned __int128>(a, b, row_count,
                                                                               pool);
                                   }));
    return ToArray(std::move(values), nulls, row_count);
  }

  // Unsigned arithmetic: rows that are null may hold anything.
  template <typename T, typename Word, typename A, typename B>
  Result<std::shared_ptr<arrow::Buffer>> Sum(A a, B b, int64_t row_count,
                                             arrow::MemoryPool* pool) const {
    const Word left_factor = static_cast<Word>(kPowersOfTen[exact_.left_shift]);
    const Word right_factor = static_cast<Word>(kPowersOfTen[exact_.right_shift]);
    const auto word = [](const auto& value) {
      if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Int128Cell>) {
        return static_cast<Word>(static_cast<Int128>(value));
      } else {
        return static_cast<Word>(value);
      }
    };
    const auto to_value = [](Word sum) {
      if constexpr (std::is_same_v<T, Int128Cell>) {
        return Int128Cell(static_cast<Int128>(sum));
      } else {
        return static_cast<T>(sum);
      }
    };
    if (subtract_) {
      return AllRowsOf<T>(row_count, pool, [=](int64_t row) {
        return to_value(word(a[row]) * left_factor - word(b[row]) * right_factor);
      });
    }
    return AllRowsOf<T>(row_count, pool, [=](int64_t row) {
      return to_value(word(a[row]) * left_factor + word(b[row]) * right_factor);
    });
  }

  Int256 WideSum(Int128 a, Int128 b) const {
    const Int256 left = ToInt256(a) * Int256::GetScaleMultiplier(exact_.left_shift);
    const Int256 right = ToInt256(b) * Int256::GetScaleMultiplier(exact_.right_shift);
    return subtract_ ? Difference(left, right) : left + right;
  }

  std::optional<Int128> Row(Int128 a, Int128 b) const {
    // Both sides below 10^37, so that 128 bits hold the sum.
    const int left_digits = kPrecisionMax - 1 - exact_.left_shift;
    const int right_digits = kPrecisionMax - 1 - exact_.right_shift;
    if (left_digits >= 0 && right_digits >= 0 && FitsPrecision(a, left_digits) &&
        FitsPrecision(b, right_digits)) {
      const Int128 left = a * kPowersOfTen[exact_.left_shift];
      const Int128 right = b * kPowersOfTen[exact_.right_shift];
      return Rescale(subtract_ ? left - right : left + right, exact_.scale, type().scale,
                     type().precision);
    }
    return Rescale(WideSum(a, b), exact_.scale, type().scale, type().precision);
  }

  ExactSum exact_;
  bool subtract_;
};

}  // namespace

MadeExpression MakeDecimalSum(FunctionCall call, bool subtract) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  const ExactSum exact(call.arguments[0]->type(), call.arguments[1]->type());
  return std::make_unique<DecimalSum>(std::move(call), ansi, exact, subtract);
}

}  // namespace reprise
