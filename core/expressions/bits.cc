// bit_and, bit_or, bit_xor, bit_not, shift_left, shift_right, shift_right_unsigned; square_root,
// signum.
// Input: two integers of one type, one for bit_not; an int or long and an int for the shifts, whose
// distance counts modulo the width; one double for the last two. Output: the first's type (Spark's
// BitwiseAnd …, ShiftLeft …, Sqrt, Signum).
//   bit_and(6, 3) = 2;  shift_left(1, 33) = 2
#include <cmath>
#include <type_traits>

#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"

namespace reprise {

namespace {

struct And {
  template <typename T>
  static T Apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  static T Apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  static T Apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
template <typename T>
int Distance(int32_t distance) {
  return distance & static_cast<int>(8 * sizeof(T) - 1);
}
struct Left {
  template <typename T>
  static T Apply(T a, int32_t distance) {
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) << Distance<T>(distance));
  }
};
struct Right {
  template <typename T>
  static T Apply(T a, int32_t distance) {
    return static_cast<T>(a >> Distance<T>(distance));
  }
};
struct RightUnsigned {
  template <typename T>
  static T Apply(T a, int32_t distance) {
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) >> Distance<T>(distance));
  }
};

template <typename Op, typename T, typename U>
class BinaryBits : public NullIntolerant {
 public:
  explicit BinaryBits(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<T> left(arguments[0]);
    const AnyValues<U> right(arguments[1]);
    ARROW_ASSIGN_OR_RAISE(auto values, AllRowsOf<T>(row_count, pool, [&](int64_t row) {
                            return Op::Apply(left[row], right[row]);
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }
};

template <typename T, T (*kFunction)(T)>
class UnaryNumber : public NullIntolerant {
 public:
  explicit UnaryNumber(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<T> values(arguments[0]);
    ARROW_ASSIGN_OR_RAISE(auto buffer, AllRowsOf<T>(row_count, pool, [&](int64_t row) {
                            return kFunction(values[row]);
                          }));
    return ToArray(std::move(buffer), nulls, row_count);
  }
};

template <typename T>
T Inverted(T value) {
  return static_cast<T>(~value);
}
double SquareRoot(double value) { return std::sqrt(value); }
// Math.signum: NaN and zeros are themselves.
double Signum(double value) { return value > 0 ? 1.0 : value < 0 ? -1.0 : value; }

template <typename F>
MadeExpression OfIntegers(FunctionCall call, F&& make) {
  const DataType type = call.spec.type;
  return VisitStorage(type, [&]<typename T>() -> MadeExpression {
    if constexpr (std::is_integral_v<T>) {
      return make.template operator()<T>(std::move(call));
    } else {
      return Status::NotImplemented("bits of ", type.ToString());
    }
  });
}

template <typename Op>
MadeExpression MakeBinaryBits(FunctionCall call) {
  return OfIntegers(std::move(call), []<typename T>(FunctionCall c) -> MadeExpression {
    return std::make_unique<BinaryBits<Op, T, T>>(std::move(c));
  });
}

template <typename Op>
MadeExpression MakeShift(FunctionCall call) {
  if (call.spec.type.is(TypeKind::kLong)) {
    return std::make_unique<BinaryBits<Op, int64_t, int32_t>>(std::move(call));
  }
  return std::make_unique<BinaryBits<Op, int32_t, int32_t>>(std::move(call));
}

}  // namespace

MadeExpression MakeBitAnd(FunctionCall call) { return MakeBinaryBits<And>(std::move(call)); }
MadeExpression MakeBitOr(FunctionCall call) { return MakeBinaryBits<Or>(std::move(call)); }
MadeExpression MakeBitXor(FunctionCall call) { return MakeBinaryBits<Xor>(std::move(call)); }
MadeExpression MakeBitNot(FunctionCall call) {
  return OfIntegers(std::move(call), []<typename T>(FunctionCall c) -> MadeExpression {
    return std::make_unique<UnaryNumber<T, Inverted<T>>>(std::move(c));
  });
}
MadeExpression MakeShiftLeft(FunctionCall call) { return MakeShift<Left>(std::move(call)); }
MadeExpression MakeShiftRight(FunctionCall call) { return MakeShift<Right>(std::move(call)); }
MadeExpression MakeShiftRightUnsigned(FunctionCall call) {
  return MakeShift<RightUnsigned>(std::move(call));
}
MadeExpression MakeSquareRoot(FunctionCall call) {
  return std::make_unique<UnaryNumber<double, SquareRoot>>(std::move(call));
}
MadeExpression MakeSignum(FunctionCall call) {
  return std::make_unique<UnaryNumber<double, Signum>>(std::move(call));
}

}  // namespace reprise
