// The base of functions of two decimals.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "expressions/checked_rows.h"
#include "expressions/decimal_math.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"

namespace reprise {

/// Decimals of either width.
class DecimalValues {
 public:
  DecimalValues(const Column& column, const DataType& type)
      : short_(type.is_short_decimal()),
        int64_(short_ ? AnyValues<int64_t>(column) : AnyValues<int64_t>()),
        int128_(short_ ? AnyValues<Int128Cell>() : AnyValues<Int128Cell>(column)) {}
  Int128 operator[](int64_t row) const {
    return short_ ? static_cast<Int128>(int64_[row]) : static_cast<Int128>(int128_[row]);
  }

 private:
  bool short_;
  AnyValues<int64_t> int64_;
  AnyValues<Int128Cell> int128_;
};

/// Calls `f(left, right)` with the raw values of two decimals of any width.
template <typename F>
auto VisitDecimals(const Column& left, const DataType& left_type, const Column& right,
                   const DataType& right_type, F&& f) {
  if (left_type.is_short_decimal()) {
    if (right_type.is_short_decimal()) return VisitPair<int64_t, int64_t>(left, right, f);
    return VisitPair<int64_t, Int128Cell>(left, right, f);
  }
  if (right_type.is_short_decimal()) return VisitPair<Int128Cell, int64_t>(left, right, f);
  return VisitPair<Int128Cell, Int128Cell>(left, right, f);
}

/// A function of two decimals whose result is a decimal, or a long for integral_divide.
class DecimalBinary : public NullIntolerant {
 protected:
  DecimalBinary(FunctionCall call, bool ansi, bool can_fail,
                std::optional<DivisorFirst> divisor_first = {})
      : NullIntolerant(call.spec.type, std::move(call.arguments), can_fail, divisor_first),
        ansi_(ansi) {}

  const DataType& left_type() const { return argument(0).type(); }
  const DataType& right_type() const { return argument(1).type(); }
  bool ansi() const { return ansi_; }

  /// Row by row: `f(a, b)` gives the unscaled result or nothing, which is null or, under ansi,
  /// `error(a, b)`.
  template <typename F, typename E>
  Result<std::shared_ptr<arrow::Array>> ComputeRows(const std::vector<Column>& arguments,
                                                    const Nulls& nulls, int64_t row_count,
                                                    arrow::MemoryPool* pool, F&& f,
                                                    E&& error) const {
    const DecimalValues left(arguments[0], left_type());
    const DecimalValues right(arguments[1], right_type());
    const auto run = [&]<typename T>() -> Result<std::shared_ptr<arrow::Array>> {
      ARROW_ASSIGN_OR_RAISE(auto result,
                            (CheckedRows<T>(
                                nulls, row_count, ansi_, pool,
                                [&](int64_t row, T* out) {
                                  const std::optional<Int128> value = f(left[row], right[row]);
                                  if (value) *out = static_cast<T>(*value);
                                  return value.has_value();
                                },
                                [&](int64_t row) { return error(left[row], right[row]); })));
      return ToArray(std::move(result.values), result.nulls, row_count);
    };
    if (type().is(TypeKind::kDecimal) && !type().is_short_decimal()) {
      return run.template operator()<Int128Cell>();
    }
    return run.template operator()<int64_t>();
  }

 private:
  bool ansi_;
};

}  // namespace reprise
