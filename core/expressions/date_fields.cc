// year, quarter, month, day_of_month, day_of_year, day_of_week, week_day, week_of_year, last_day of
// a date. Input: date (days since 1970-01-01, proleptic Gregorian). Output: integer, for last_day
// date (Spark's classes of the same names; day_of_week counts from Sunday = 1, week_day from
// Monday = 0, weeks are ISO's; last_day wraps as Java's ints).
//   year(1995-09-17) = 1995;  week_of_year(1995-01-01) = 52
#include "expressions/checked_rows.h"
#include "expressions/civil_date.h"
#include "expressions/date_arithmetic.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/zone_rules.h"

namespace reprise {

namespace {

int32_t Year(int32_t days) { return static_cast<int32_t>(CivilOf(days).year); }
int32_t Month(int32_t days) { return CivilOf(days).month; }
int32_t Quarter(int32_t days) { return (CivilOf(days).month - 1) / 3 + 1; }
int32_t DayOfMonth(int32_t days) { return CivilOf(days).day; }
int32_t DayOfYear(int32_t days) {
  return static_cast<int32_t>(days - DaysOf({CivilOf(days).year, 1, 1}) + 1);
}
// 1970-01-01 was a Thursday.
int32_t WeekDay(int32_t days) { return static_cast<int32_t>(FloorMod(int64_t{days} + 3, 7)); }
int32_t DayOfWeek(int32_t days) { return static_cast<int32_t>(FloorMod(int64_t{days} + 4, 7)) + 1; }
int32_t WeekOfYear(int32_t days) {
  // The ISO week is that of its Thursday.
  const int64_t thursday = int64_t{days} - WeekDay(days) + 3;
  const int64_t first = DaysOf({CivilOf(thursday).year, 1, 1});
  return static_cast<int32_t>((thursday - first) / 7) + 1;
}

int32_t LastDay(int32_t days) {
  const CivilDate date = CivilOf(days);
  return Wrapped(days, DaysInMonth(date.year, date.month) - date.day);
}

template <int32_t (*kField)(int32_t)>
class DateField : public NullIntolerant {
 public:
  explicit DateField(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<int32_t> days(arguments[0]);
    ARROW_ASSIGN_OR_RAISE(auto values, AllRowsOf<int32_t>(row_count, pool, [&](int64_t row) {
                            return kField(days[row]);
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }
};

}  // namespace

MadeExpression MakeYear(FunctionCall call) {
  return std::make_unique<DateField<Year>>(std::move(call));
}
MadeExpression MakeQuarter(FunctionCall call) {
  return std::make_unique<DateField<Quarter>>(std::move(call));
}
MadeExpression MakeMonth(FunctionCall call) {
  return std::make_unique<DateField<Month>>(std::move(call));
}
MadeExpression MakeDayOfMonth(FunctionCall call) {
  return std::make_unique<DateField<DayOfMonth>>(std::move(call));
}
MadeExpression MakeDayOfYear(FunctionCall call) {
  return std::make_unique<DateField<DayOfYear>>(std::move(call));
}
MadeExpression MakeDayOfWeek(FunctionCall call) {
  return std::make_unique<DateField<DayOfWeek>>(std::move(call));
}
MadeExpression MakeWeekDay(FunctionCall call) {
  return std::make_unique<DateField<WeekDay>>(std::move(call));
}
MadeExpression MakeWeekOfYear(FunctionCall call) {
  return std::make_unique<DateField<WeekOfYear>>(std::move(call));
}
MadeExpression MakeLastDay(FunctionCall call) {
  return std::make_unique<DateField<LastDay>>(std::move(call));
}

}  // namespace reprise
