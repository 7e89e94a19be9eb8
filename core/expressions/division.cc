// divide of doubles, remainder and pmod of integers and floating point, integral_divide of longs;
// decimals are handed to decimal_division.cc. Input: two arguments of one type; attribute `ansi`.
// Output: that type. A zero divisor gives null, or an error under ansi, -0.0 included (Spark's
// DivModLike, which evaluates the right side first).
//   remainder([-5, 5], [3, 0]) = [-2, null]
#include <cmath>
#include <limits>
#include <type_traits>

#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/spark_errors.h"

namespace reprise {

namespace {

struct Quotient {
  static Status ZeroError() { return DivideByZero(); }
  template <typename T>
  static T Apply(T a, T b) {
    return a / b;
  }
};

struct Remainder {
  static Status ZeroError() { return RemainderByZero(); }
  template <typename T>
  static T Apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fmod(a, b);
    } else {
      return b == T(-1) ? T(0) : static_cast<T>(a % b);
    }
  }
};

// pmod: the remainder, with the divisor added where it is below 0. Ints and longs wrap on their
// way, shorter integers are computed as ints.
struct PositiveRemainder {
  static Status ZeroError() { return RemainderByZero(); }
  template <typename T>
  static T Apply(T a, T b) {
    const T rest = Remainder::Apply(a, b);
    if (!(rest < T(0))) return rest;
    if constexpr (std::is_floating_point_v<T>) {
      return std::fmod(rest + b, b);
    } else if constexpr (sizeof(T) < sizeof(int32_t)) {
      return static_cast<T>(Remainder::Apply<int32_t>(int32_t{rest} + int32_t{b}, b));
    } else {
      using Unsigned = std::make_unsigned_t<T>;
      return Remainder::Apply(
          static_cast<T>(static_cast<Unsigned>(rest) + static_cast<Unsigned>(b)), b);
    }
  }
};

// Division of longs wraps, or raises an error under ansi, for the least long and -1.
struct IntegralQuotient {
  static Status ZeroError() { return DivideByZero(); }
  template <typename T>
  static T Apply(T a, T b) {
    return b == T(-1) ? static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a)) : a / b;
  }
};

template <typename Op, typename T>
class Division : public NullIntolerant {
 public:
  Division(FunctionCall call, bool ansi)
      : NullIntolerant(call.spec.type, std::move(call.arguments), ansi,
                       DivisorFirst(call.spec, ansi, Op::ZeroError)),
        ansi_(ansi) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<T> left(arguments[0]);
    const AnyValues<T> right(arguments[1]);
    const auto divide = [&](int64_t row, T* value) {
      const T divisor = right[row];
      if (divisor == T(0) || IsOverflow(left[row], divisor)) return false;
      *value = Op::Apply(left[row], divisor);
      return true;
    };
    const auto error = [&](int64_t row) {
      return right[row] == T(0) ? Op::ZeroError()
                                : ArithmeticOverflow("Overflow in integral divide", "try_divide");
    };
    ARROW_ASSIGN_OR_RAISE(auto result,
                          CheckedRows<T>(nulls, row_count, ansi_, pool, divide, error));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }

 private:
  bool IsOverflow(T left, T right) const {
    if constexpr (std::is_same_v<Op, IntegralQuotient>) {
      return ansi_ && left == std::numeric_limits<T>::min() && right == T(-1);
    } else {
      return false;
    }
  }

  bool ansi_;
};

template <typename Op, typename T>
MadeExpression MakeDivision(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  return std::make_unique<Division<Op, T>>(std::move(call), ansi);
}

}  // namespace

MadeExpression MakeDivide(FunctionCall call) {
  if (call.spec.type.is(TypeKind::kDecimal)) return MakeDecimalDivide(std::move(call));
  return MakeDivision<Quotient, double>(std::move(call));
}

MadeExpression MakeRemainder(FunctionCall call) {
  if (call.spec.type.is(TypeKind::kDecimal)) return MakeDecimalRemainder(std::move(call));
  return VisitStorage(call.spec.type, [&]<typename T>() -> MadeExpression {
    if constexpr (std::is_arithmetic_v<T>) {
      return MakeDivision<Remainder, T>(std::move(call));
    } else {
      return Status::NotImplemented("remainder of ", call.spec.type.ToString());
    }
  });
}

MadeExpression MakePmod(FunctionCall call) {
  return VisitStorage(call.spec.type, [&]<typename T>() -> MadeExpression {
    if constexpr (std::is_arithmetic_v<T>) {
      return MakeDivision<PositiveRemainder, T>(std::move(call));
    } else {
      return Status::NotImplemented("pmod of ", call.spec.type.ToString());
    }
  });
}

MadeExpression MakeIntegralDivide(FunctionCall call) {
  if (call.arguments[0]->type().is(TypeKind::kDecimal)) {
    return MakeDecimalIntegralDivide(std::move(call));
  }
  return MakeDivision<IntegralQuotient, int64_t>(std::move(call));
}

}  // namespace reprise
