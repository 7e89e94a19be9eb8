// date_add, date_sub, date_diff, add_months: days and months.
// Input: a date and an integer (tinyint and smallint too where days are added); two dates for
// date_diff. Output: date, for date_diff integer. Days wrap as Java's ints; months that leave the
// range of dates are ARITHMETIC_OVERFLOW (Spark's DateAdd, DateSub, DateDiff, AddMonths,
// DateAddYMInterval).
//   add_months(2024-01-31, 1) = 2024-02-29;  date_diff(2024-03-01, 2024-02-28) = 2
#include "expressions/date_arithmetic.h"

#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/spark_errors.h"

namespace reprise {

namespace {

int32_t Negated(int32_t value) { return static_cast<int32_t>(-int64_t{value}); }
int32_t Plus(int32_t date, int32_t days) { return Wrapped(date, days); }
int32_t Minus(int32_t left, int32_t right) { return Wrapped(left, Negated(right)); }

/// A date, or two ints that wrap; Right is the type of the second argument's values.
template <typename Right, int32_t (*kFunction)(int32_t, int32_t)>
class DaysFunction : public NullIntolerant {
 public:
  explicit DaysFunction(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<int32_t> left(arguments[0]);
    const AnyValues<Right> right(arguments[1]);
    ARROW_ASSIGN_OR_RAISE(auto values, AllRowsOf<int32_t>(row_count, pool, [&](int64_t row) {
                            return kFunction(left[row], right[row]);
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }
};

class AddMonths : public NullIntolerant {
 public:
  explicit AddMonths(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), true) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<int32_t> days(arguments[0]);
    const AnyValues<int32_t> months(arguments[1]);
    ARROW_ASSIGN_OR_RAISE(auto result,
                          CheckedRows<int32_t>(
                              nulls, row_count, /*raise=*/true, pool,
                              [&](int64_t row, int32_t* out) {
                                const int64_t moved = PlusMonths(days[row], months[row]);
                                *out = static_cast<int32_t>(moved);
                                return moved == *out;
                              },
                              [](int64_t) { return ArithmeticOverflow("integer overflow", ""); }));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }
};

template <int32_t (*kFunction)(int32_t, int32_t)>
MadeExpression MakeDaysFunction(FunctionCall call) {
  switch (call.arguments[1]->type().kind) {
    case TypeKind::kByte:
      return std::make_unique<DaysFunction<int8_t, kFunction>>(std::move(call));
    case TypeKind::kShort:
      return std::make_unique<DaysFunction<int16_t, kFunction>>(std::move(call));
    default:
      return std::make_unique<DaysFunction<int32_t, kFunction>>(std::move(call));
  }
}

}  // namespace

MadeExpression MakeDateAdd(FunctionCall call) { return MakeDaysFunction<Plus>(std::move(call)); }
MadeExpression MakeDateSub(FunctionCall call) { return MakeDaysFunction<Minus>(std::move(call)); }
MadeExpression MakeDateDiff(FunctionCall call) { return MakeDaysFunction<Minus>(std::move(call)); }
MadeExpression MakeAddMonths(FunctionCall call) {
  return std::make_unique<AddMonths>(std::move(call));
}

}  // namespace reprise
