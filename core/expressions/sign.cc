// negate, abs.
// Input: one number; attribute `ansi`. Output: its type. The least integer stays itself, or is an
// error under ansi (Spark's UnaryMinus, Abs).
//   negate([1, 0.0]) = [-1, -0.0]
// Decimals of more than 34 digits are rounded to 34, half even: Spark negates them as Scala's
// BigDecimal, which rounds to the context DECIMAL128. What then has too many digits is an error,
// with ansi off too (Decimal.unary_-, Decimal.set).
#include <cmath>
#include <limits>
#include <type_traits>

#include "expressions/checked_rows.h"
#include "expressions/decimal_math.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/spark_errors.h"

namespace reprise {

namespace {

template <typename T>
T WithOtherSign(T value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(value));
  } else if constexpr (std::is_same_v<T, Int128Cell>) {
    return Int128Cell(-static_cast<Int128>(value));
  } else {
    return -value;
  }
}

template <typename T>
T Absolute(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fabs(value);
  } else {
    return value < T(0) ? WithOtherSign(value) : value;
  }
}

template <typename T>
constexpr const char* OverflowMessage() {
  return sizeof(T) == 1   ? "byte overflow"
         : sizeof(T) == 2 ? "short overflow"
         : sizeof(T) == 4 ? "integer overflow"
                          : "long overflow";
}

template <typename T, bool kAbsolute>
class Sign : public NullIntolerant {
 public:
  Sign(FunctionCall call, bool can_overflow)
      : NullIntolerant(call.spec.type, std::move(call.arguments), can_overflow),
        can_overflow_(can_overflow) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    if (can_overflow_) RETURN_NOT_OK(CheckOverflow(arguments[0], nulls, row_count));
    ARROW_ASSIGN_OR_RAISE(auto values, VisitValues<T>(arguments[0], [&](auto rows) {
                            return AllRowsOf<T>(row_count, pool, [=](int64_t row) {
                              return kAbsolute ? Absolute<T>(rows[row])
                                               : WithOtherSign<T>(rows[row]);
                            });
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }

 private:
  static Status CheckOverflow(const Column& argument, const Nulls& nulls, int64_t row_count) {
    if constexpr (std::is_integral_v<T>) {
      const AnyValues<T> rows(argument);
      for (int64_t row = 0; row < row_count; ++row) {
        if (rows[row] == std::numeric_limits<T>::min() && nulls.IsValid(row)) {
          return ArithmeticOverflow(OverflowMessage<T>(), "");
        }
      }
    }
    return Status::OK();
  }

  bool can_overflow_;
};

constexpr int kContextDigits = 34;  // MathContext.DECIMAL128

// The magnitude rounded to 34 digits, half even.
Int128 RoundedMagnitude(Int128 magnitude) {
  int dropped = 0;
  while (kContextDigits + dropped < kPrecisionMax &&
         magnitude >= kPowersOfTen[kContextDigits + dropped]) {
    ++dropped;
  }
  if (dropped == 0) return magnitude;
  const Int128 unit = kPowersOfTen[dropped];
  const Int128 quotient = magnitude / unit;
  const Int128 twice = 2 * (magnitude % unit);
  const bool up = twice > unit || (twice == unit && quotient % 2 == 1);
  return (quotient + (up ? 1 : 0)) * unit;
}

// Of decimals that may have more than 34 digits.
template <bool kAbsolute>
class WideDecimalSign : public NullIntolerant {
 public:
  explicit WideDecimalSign(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), true) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<Int128Cell> rows(arguments[0]);
    ARROW_ASSIGN_OR_RAISE(auto result,
                          (CheckedRows<Int128Cell>(
                              nulls, row_count, /*raise=*/true, pool,
                              [&](int64_t row, Int128Cell* out) {
                                const Int128 value = Changed(rows[row]);
                                *out = Int128Cell(value);
                                return FitsPrecision(value, type().precision);
                              },
                              [&](int64_t row) { return Error(Changed(rows[row])); })));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }

 private:
  static Int128 Changed(Int128 value) {
    if (kAbsolute && value >= 0) return value;
    const Int128 rounded = RoundedMagnitude(Magnitude(value));
    return value < 0 ? rounded : -rounded;
  }

  // Only a value that was rounded up to a power of ten has too many digits.
  Status Error(Int128 value) const {
    const int scale = type().scale;
    const int exponent = type().precision - scale;
    const char* sign = value < 0 ? "-" : "";
    const std::string digits = "1" + std::string(kContextDigits - 1, '0');
    const std::string original =
        exponent < kContextDigits ? PlainDecimal(value < 0, digits, kContextDigits - 1 - exponent)
                                  : fmt::format("{}1.{}E+{}", sign, digits.substr(1), exponent);
    return RoundedValueOutOfRange(PlainDecimal(value, scale), original, type().precision, scale);
  }
};

template <bool kAbsolute>
MadeExpression MakeSign(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  if (call.spec.type.is(TypeKind::kDecimal) && call.spec.type.precision > kContextDigits) {
    return std::make_unique<WideDecimalSign<kAbsolute>>(std::move(call));
  }
  const bool can_overflow = ansi && call.spec.type.is_integral();
  return VisitStorage(call.spec.type, [&]<typename T>() -> MadeExpression {
    return std::make_unique<Sign<T, kAbsolute>>(std::move(call), can_overflow);
  });
}

}  // namespace

MadeExpression MakeNegate(FunctionCall call) { return MakeSign<false>(std::move(call)); }
MadeExpression MakeAbs(FunctionCall call) { return MakeSign<true>(std::move(call)); }

}  // namespace reprise
