// add, subtract, multiply of integers and floating point; decimals are handed to their own files.
// Input: two arguments of one type; attribute `ansi`. Output: that type. Integers wrap, or overflow
// is an error under ansi (Spark's Add, Subtract, Multiply).
//   add([1, null], 2) = [3, null]
#include <type_traits>

#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/spark_errors.h"

namespace reprise {

namespace {

struct Sum {
  static constexpr char kSymbol[] = "+";
  static constexpr char kTryFunction[] = "try_add";
  template <typename T>
  static T Apply(T a, T b) {
    return a + b;
  }
  template <typename T>
  static bool Overflows(T a, T b, T* out) {
    return __builtin_add_overflow(a, b, out);
  }
};

struct Subtraction {
  static constexpr char kSymbol[] = "-";
  static constexpr char kTryFunction[] = "try_subtract";
  template <typename T>
  static T Apply(T a, T b) {
    return a - b;
  }
  template <typename T>
  static bool Overflows(T a, T b, T* out) {
    return __builtin_sub_overflow(a, b, out);
  }
};

struct Product {
  static constexpr char kSymbol[] = "*";
  static constexpr char kTryFunction[] = "try_multiply";
  template <typename T>
  static T Apply(T a, T b) {
    return a * b;
  }
  template <typename T>
  static bool Overflows(T a, T b, T* out) {
    return __builtin_mul_overflow(a, b, out);
  }
};

template <typename Op, typename T>
Status OverflowError(T left, T right) {
  if constexpr (sizeof(T) < sizeof(int32_t)) {
    return BinaryArithmeticOverflow(left, Op::kSymbol, right, Op::kTryFunction);
  } else {
    return ArithmeticOverflow(sizeof(T) == sizeof(int32_t) ? "integer overflow" : "long overflow",
                              Op::kTryFunction);
  }
}

template <typename Op, typename T>
class Arithmetic : public NullIntolerant {
 public:
  Arithmetic(FunctionCall call, bool ansi)
      : NullIntolerant(call.spec.type, std::move(call.arguments), ansi && std::is_integral_v<T>),
        ansi_(ansi) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    bool overflowed = false;
    ARROW_ASSIGN_OR_RAISE(
        auto values, (VisitPair<T, T>(arguments[0], arguments[1], [&](auto a, auto b) {
          if constexpr (std::is_floating_point_v<T>) {
            return AllRowsOf<T>(row_count, pool,
                                [=](int64_t row) { return Op::Apply(a[row], b[row]); });
          } else {
            return AllRowsOf<T>(row_count, pool, [=, &overflowed](int64_t row) {
              T value;
              overflowed |= Op::Overflows(a[row], b[row], &value);
              return value;
            });
          }
        })));
    if (overflowed && ansi_) RETURN_NOT_OK(FindOverflow(arguments, nulls, row_count));
    return ToArray(std::move(values), nulls, row_count);
  }

 private:
  // The overflow may have been in a null row, where it is none.
  static Status FindOverflow(const std::vector<Column>& arguments, const Nulls& nulls,
                             int64_t row_count) {
    if constexpr (std::is_integral_v<T>) {
      const AnyValues<T> left(arguments[0]);
      const AnyValues<T> right(arguments[1]);
      for (int64_t row = 0; row < row_count; ++row) {
        T value;
        if (nulls.IsValid(row) && Op::Overflows(left[row], right[row], &value)) {
          return OverflowError<Op, T>(left[row], right[row]);
        }
      }
    }
    return Status::OK();
  }

  bool ansi_;
};

template <typename Op>
MadeExpression MakeArithmetic(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  return VisitStorage(call.spec.type, [&]<typename T>() -> MadeExpression {
    if constexpr (std::is_arithmetic_v<T>) {
      return std::make_unique<Arithmetic<Op, T>>(std::move(call), ansi);
    } else {
      return Status::NotImplemented(call.spec.function, " of ", call.spec.type.ToString());
    }
  });
}

}  // namespace

MadeExpression MakeAdd(FunctionCall call) {
  if (call.spec.type.is(TypeKind::kDecimal)) return MakeDecimalSum(std::move(call), false);
  return MakeArithmetic<Sum>(std::move(call));
}

MadeExpression MakeSubtract(FunctionCall call) {
  if (call.spec.type.is(TypeKind::kDecimal)) return MakeDecimalSum(std::move(call), true);
  return MakeArithmetic<Subtraction>(std::move(call));
}

MadeExpression MakeMultiply(FunctionCall call) {
  if (call.spec.type.is(TypeKind::kDecimal)) return MakeDecimalProduct(std::move(call));
  return MakeArithmetic<Product>(std::move(call));
}

}  // namespace reprise
