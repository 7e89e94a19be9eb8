// divide, remainder, integral_divide of decimals.
// Input: two decimals of any precision and scale; attribute `ansi`. Output: the specification's
// decimal type, rounded half up; a long for integral_divide. A zero divisor, or a result that does
// not fit, is null, or an error under ansi (Spark's Divide, Remainder, IntegralDivide; Decimal./,
// %, quot).
//   divide(decimal(10,2) 2.00, decimal(10,2) -3.00) = decimal(23,13) -0.6666666666667
#include <algorithm>

#include "expressions/decimal_binary.h"
#include "expressions/spark_errors.h"

namespace reprise {

namespace {

constexpr int kQuotientDigits = 39;  // digits of Decimal's MathContext

// Two decimals at one scale: at most 76 digits each.
struct Aligned {
  int left_shift;
  int right_shift;
  int scale;

  Aligned(const DataType& left, const DataType& right)
      : left_shift(std::max(0, right.scale - left.scale)),
        right_shift(std::max(0, left.scale - right.scale)),
        scale(std::max(left.scale, right.scale)) {}

  bool FitInt128(Int128 a, Int128 b) const {
    return FitsPrecision(a, kPrecisionMax - left_shift) &&
           FitsPrecision(b, kPrecisionMax - right_shift);
  }
  Int256 Left(Int128 a) const { return ToInt256(a) * Int256::GetScaleMultiplier(left_shift); }
  Int256 Right(Int128 b) const { return ToInt256(b) * Int256::GetScaleMultiplier(right_shift); }
};

// Whether Java's divideToIntegralValue gives up on this quotient: it has digits beyond the
// first 39.
bool IsDivisionImpossible(const Int256& quotient) {
  const std::string digits = DigitsOf(quotient);
  return digits.size() > kQuotientDigits &&
         digits.find_first_not_of('0', kQuotientDigits) != std::string::npos;
}

class DecimalDivide : public DecimalBinary {
 public:
  DecimalDivide(FunctionCall call, bool ansi, DivisorFirst divisor_first)
      : DecimalBinary(std::move(call), ansi, ansi, divisor_first),
        aligned_(left_type(), right_type()) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    return ComputeRows(
        arguments, nulls, row_count, pool, [this](Int128 a, Int128 b) { return Row(a, b); },
        [this](Int128 a, Int128 b) {
          if (b == 0) return DivideByZero();
          return NumericValueOutOfRange(QuotientText(a, b), type().precision, type().scale);
        });
  }

 private:
  std::optional<Int128> Row(Int128 a, Int128 b) const {
    if (b == 0) return std::nullopt;
    // a·10^-s1 / (b·10^-s2), at the result's scale.
    const int exponent = type().scale - left_type().scale + right_type().scale;
    std::optional<Int128> quotient;
    if (exponent < 0) {
      const auto divisor = ScaleUp(b, -exponent);
      if (!divisor) return 0;  // more than 76 digits under at most 38
      quotient = DivideHalfUp(ToInt256(a), *divisor);
    } else if (exponent <= kPrecisionMax && FitsPrecision(a, kPrecisionMax - exponent)) {
      quotient = DivideHalfUp(a * kPowersOfTen[exponent], b);
    } else {
      const auto dividend = ScaleUp(a, exponent);
      if (!dividend) return std::nullopt;  // at least 10^76 over less than 10^38
      quotient = DivideHalfUp(*dividend, ToInt256(b));
    }
    if (!quotient || !FitsPrecision(*quotient, type().precision)) return std::nullopt;
    return quotient;
  }

  // The quotient to 39 decimals, as Spark shows it.
  std::string QuotientText(Int128 a, Int128 b) const {
    const Int256 divisor = Int256::Abs(aligned_.Right(b));
    WideDivision step = Divide(Int256::Abs(aligned_.Left(a)), divisor);
    std::string digits = DigitsOf(step.quotient);
    for (int i = 0; i < kQuotientScale; ++i) {
      step = Divide(step.remainder * Int256(10), divisor);
      digits += DigitsOf(step.quotient);
    }
    return PlainDecimal((a < 0) != (b < 0), digits, kQuotientScale);
  }

  Aligned aligned_;
};

// Divides to an integral quotient, which fails for too many digits with ansi off too.
class DecimalIntegralDivision : public DecimalBinary {
 protected:
  DecimalIntegralDivision(FunctionCall call, bool ansi, bool can_be_impossible,
                          DivisorFirst divisor_first)
      : DecimalBinary(std::move(call), ansi, ansi || can_be_impossible, divisor_first),
        aligned_(left_type(), right_type()) {}

  // `f(a, b, status)` may set a status that ends the evaluation, whatever `ansi`.
  template <typename F, typename E>
  Result<std::shared_ptr<arrow::Array>> ComputeOrStop(const std::vector<Column>& arguments,
                                                      const Nulls& nulls, int64_t row_count,
                                                      arrow::MemoryPool* pool, F&& f,
                                                      E&& error) const {
    Status stopped;
    auto result = ComputeRows(
        arguments, nulls, row_count, pool,
        [&](Int128 a, Int128 b) -> std::optional<Int128> {
          return stopped.ok() ? f(a, b, &stopped) : 0;
        },
        error);
    RETURN_NOT_OK(stopped);
    return result;
  }

  const Aligned& aligned() const { return aligned_; }

 private:
  Aligned aligned_;
};

bool CanBeImpossible(const DataType& left, const DataType& right) {
  return left.precision + Aligned(left, right).left_shift > kQuotientDigits;
}

class DecimalRemainder : public DecimalIntegralDivision {
 public:
  DecimalRemainder(FunctionCall call, bool ansi, bool can_be_impossible, DivisorFirst divisor_first)
      : DecimalIntegralDivision(std::move(call), ansi, can_be_impossible, divisor_first) {}

  static Status ZeroError() { return RemainderByZero(); }

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    return ComputeOrStop(
        arguments, nulls, row_count, pool,
        [this](Int128 a, Int128 b, Status* stopped) { return Row(a, b, stopped); },
        [this](Int128 a, Int128 b) {
          if (b == 0) return RemainderByZero();
          const Int256 rest = Divide(aligned().Left(a), aligned().Right(b)).remainder;
          return NumericValueOutOfRange(
              PlainDecimal(rest.IsNegative(), DigitsOf(rest), aligned().scale), type().precision,
              type().scale);
        });
  }

 private:
  std::optional<Int128> Row(Int128 a, Int128 b, Status* stopped) const {
    if (b == 0) return std::nullopt;
    if (aligned().FitInt128(a, b)) {
      const Int128 left = a * kPowersOfTen[aligned().left_shift];
      const Int128 right = b * kPowersOfTen[aligned().right_shift];
      return Rescale(left - DivideTruncated(left, right) * right, aligned().scale, type().scale,
                     type().precision);
    }
    const WideDivision division = Divide(aligned().Left(a), aligned().Right(b));
    if (IsDivisionImpossible(division.quotient)) {
      *stopped = DivisionImpossible();
      return 0;
    }
    return Rescale(division.remainder, aligned().scale, type().scale, type().precision);
  }
};

class DecimalIntegralDivide : public DecimalIntegralDivision {
 public:
  DecimalIntegralDivide(FunctionCall call, bool ansi, bool can_be_impossible,
                        DivisorFirst divisor_first)
      : DecimalIntegralDivision(std::move(call), ansi, can_be_impossible, divisor_first),
        precision_(std::clamp(left_type().precision - left_type().scale + right_type().scale, 1,
                              kPrecisionMax)) {}

  static Status ZeroError() { return DivideByZero(); }

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    return ComputeOrStop(
        arguments, nulls, row_count, pool,
        [this](Int128 a, Int128 b, Status* stopped) { return Row(a, b, stopped); },
        [this](Int128 a, Int128 b) {
          if (b == 0) return DivideByZero();
          const Int256 quotient = Divide(aligned().Left(a), aligned().Right(b)).quotient;
          return NumericValueOutOfRange(PlainDecimal(quotient.IsNegative(), DigitsOf(quotient), 0),
                                        precision_, 0);
        });
  }

 private:
  std::optional<Int128> Row(Int128 a, Int128 b, Status* stopped) const {
    if (b == 0) return std::nullopt;
    std::optional<Int128> quotient;
    if (aligned().FitInt128(a, b)) {
      quotient = DivideTruncated(a * kPowersOfTen[aligned().left_shift],
                                 b * kPowersOfTen[aligned().right_shift]);
    } else {
      const WideDivision division = Divide(aligned().Left(a), aligned().Right(b));
      if (IsDivisionImpossible(division.quotient)) {
        *stopped = DivisionImpossible();
        return 0;
      }
      quotient = Narrow(division.quotient);
    }
    if (!quotient || !FitsPrecision(*quotient, precision_)) return std::nullopt;
    return static_cast<int64_t>(*quotient);  // the low 64 bits, as BigDecimal.longValue
  }

  int precision_;  // of the decimal that Spark makes on the way
};

template <typename T>
MadeExpression MakeIntegralDivision(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  const bool can_be_impossible =
      CanBeImpossible(call.arguments[0]->type(), call.arguments[1]->type());
  const DivisorFirst divisor_first(call.spec, ansi, T::ZeroError);
  return std::make_unique<T>(std::move(call), ansi, can_be_impossible, divisor_first);
}

}  // namespace

MadeExpression MakeDecimalDivide(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  const DivisorFirst divisor_first(call.spec, ansi, DivideByZero);
  return std::make_unique<DecimalDivide>(std::move(call), ansi, divisor_first);
}

MadeExpression MakeDecimalRemainder(FunctionCall call) {
  return MakeIntegralDivision<DecimalRemainder>(std::move(call));
}

MadeExpression MakeDecimalIntegralDivide(FunctionCall call) {
  return MakeIntegralDivision<DecimalIntegralDivide>(std::move(call));
}

}  // namespace reprise
