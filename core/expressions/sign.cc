// negate, abs.
// Input: one number; attribute `ansi`. Output: its type. The least integer stays itself, or is an
// error under ansi (Spark's UnaryMinus, Abs).
//   negate([1, 0.0]) = [-1, -0.0]
#include <cmath>
#include <limits>
#include <type_traits>

#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/spark_errors.h"

namespace reprise {

namespace {

template <typename T>
T Negated(T value) {
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
    return value < T(0) ? Negated(value) : value;
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
                              return kAbsolute ? Absolute<T>(rows[row]) : Negated<T>(rows[row]);
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

template <bool kAbsolute>
MadeExpression MakeSign(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  const bool can_overflow = ansi && call.spec.type.is_integral();
  return VisitStorage(call.spec.type, [&]<typename T>() -> MadeExpression {
    return std::make_unique<Sign<T, kAbsolute>>(std::move(call), can_overflow);
  });
}

}  // namespace

MadeExpression MakeNegate(FunctionCall call) { return MakeSign<false>(std::move(call)); }
MadeExpression MakeAbs(FunctionCall call) { return MakeSign<true>(std::move(call)); }

}  // namespace reprise
