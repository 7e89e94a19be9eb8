// next_day: the first date after another that is a given day of the week.
// Input: a date; attribute `day`, the day of the week, 0 Thursday (as 1970-01-01) to 6 Wednesday.
// Output: date, never null but for a null; days wrap as Java's ints (Spark's NextDay).
//   next_day(2015-01-14, 5 = Tuesday) = 2015-01-20
#include "expressions/checked_rows.h"
#include "expressions/date_arithmetic.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"

namespace reprise {

namespace {

constexpr int32_t kDaysPerWeek = 7;

class NextDay : public NullIntolerant {
 public:
  NextDay(FunctionCall call, int32_t day)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false), day_(day) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<int32_t> dates(arguments[0]);
    ARROW_ASSIGN_OR_RAISE(auto values, AllRowsOf<int32_t>(row_count, pool, [&](int64_t row) {
                            return NextDayOfWeek(dates[row], day_);
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }

 private:
  int32_t day_;
};

}  // namespace

MadeExpression MakeNextDay(FunctionCall call) {
  const auto day = call.spec.attributes.find("day");
  if (day == call.spec.attributes.end() || !day->is_number_integer() || *day < 0 ||
      *day >= kDaysPerWeek) {
    return Status::Invalid("next_day: the attribute \"day\" is no number from 0 to 6");
  }
  const int32_t number = day->get<int32_t>();
  return std::make_unique<NextDay>(std::move(call), number);
}

}  // namespace reprise
