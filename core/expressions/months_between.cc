// months_between: the months from one timestamp to another, with a fraction.
// Input: two timestamps; attributes `zone` (zone_rules.h) and `round` (to eight digits). Output:
// double. On equal days of the month, or the last days of both, it is a whole number; else a day is
// a 31st of a month, counted in seconds (Spark's MonthsBetween, DateTimeUtils.monthsBetween).
//   months_between(2024-03-31, 2024-02-29) = 1.0;  months_between(1997-02-28 10:30, 1996-10-30) =
//   3.94959677
#include <cmath>

#include "expressions/checked_rows.h"
#include "expressions/civil_date.h"
#include "expressions/date_arithmetic.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/spark_errors.h"
#include "expressions/zone_rules.h"

namespace reprise {

namespace {

constexpr double kSecondsPerMonth = 31.0 * kSecondsPerDay;
constexpr double kEightDigits = 1e8;

/// Java's Math.round: half goes up.
double RoundHalfUp(double value) {
  const double floor = std::floor(value);
  return value - floor >= 0.5 ? floor + 1 : floor;
}

/// A timestamp as Spark's function sees it.
struct Moment {
  int64_t days;
  CivilDate date;
  bool is_month_end;
};

Moment MomentOf(int64_t micros, ZoneOffsets* offsets) {
  const int64_t seconds = FloorDiv(micros, kMicrosPerSecond);
  const int64_t days = FloorDiv(seconds + offsets->At(seconds), kSecondsPerDay);
  const CivilDate date = CivilOf(days);
  return {days, date, date.day == DaysInMonth(date.year, date.month)};
}

class MonthsBetween : public NullIntolerant {
 public:
  MonthsBetween(FunctionCall call, ZoneRules zone, bool rounds)
      : NullIntolerant(call.spec.type, std::move(call.arguments), true),
        zone_(std::move(zone)),
        rounds_(rounds) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<int64_t> first(arguments[0]);
    const AnyValues<int64_t> second(arguments[1]);
    ZoneOffsets offsets(zone_);
    ARROW_ASSIGN_OR_RAISE(auto result, CheckedRows<double>(
                                           nulls, row_count, /*raise=*/true, pool,
                                           [&](int64_t row, double* out) {
                                             return Between(first[row], second[row], &offsets, out);
                                           },
                                           [](int64_t) { return LongOverflow(); }));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }

 private:
  /// False where the beginning of a day is no timestamp any more.
  bool Between(int64_t first, int64_t second, ZoneOffsets* offsets, double* out) const {
    const Moment from = MomentOf(first, offsets);
    const Moment to = MomentOf(second, offsets);
    const auto months = static_cast<double>((from.date.year - to.date.year) * 12 +
                                            (from.date.month - to.date.month));
    *out = months;
    if (from.date.day == to.date.day || (from.is_month_end && to.is_month_end)) return true;
    int64_t seconds_from = 0;
    int64_t seconds_to = 0;
    if (!SecondsInDay(first, from, &seconds_from) || !SecondsInDay(second, to, &seconds_to)) {
      return false;
    }
    const int64_t seconds =
        (from.date.day - to.date.day) * kSecondsPerDay + seconds_from - seconds_to;
    const double difference = months + static_cast<double>(seconds) / kSecondsPerMonth;
    *out = rounds_ ? RoundHalfUp(difference * kEightDigits) / kEightDigits : difference;
    return true;
  }

  bool SecondsInDay(int64_t micros, const Moment& moment, int64_t* seconds) const {
    int64_t begin = 0;
    if (!MicrosOf(zone_.StartOfDay(moment.days), 0, &begin)) return false;
    *seconds = (micros - begin) / kMicrosPerSecond;
    return true;
  }

  ZoneRules zone_;
  bool rounds_;
};

}  // namespace

MadeExpression MakeMonthsBetween(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(auto zone, ZoneRules::Of(call.spec));
  ARROW_ASSIGN_OR_RAISE(const bool rounds, BooleanAttribute(call.spec, "round"));
  return std::make_unique<MonthsBetween>(std::move(call), std::move(zone), rounds);
}

}  // namespace reprise
