// truncate_timestamp and truncate_date: the beginning of the hour, week, quarter … that a time is
// in.
// Input: one timestamp or date; attribute `level`: "microsecond", "millisecond", "second",
// "minute", "hour", "day", "week" (begins on Monday), "month", "quarter", "year"; of a date from
// "week" on; of a timestamp the attribute `zone` (zone_rules.h). Output: as the input
// (DateTimeUtils.truncTimestamp and truncDate).
//   truncate_timestamp(2024-02-29 23:59:59.5, "hour") = 2024-02-29 23:00:00
#include <algorithm>
#include <string_view>

#include "expressions/checked_rows.h"
#include "expressions/date_arithmetic.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/spark_errors.h"
#include "expressions/zone_rules.h"

namespace reprise {

namespace {

enum class Level {
  kMicrosecond,
  kMillisecond,
  kSecond,
  kMinute,
  kHour,
  kDay,
  kWeek,
  kMonth,
  kQuarter,
  kYear
};

constexpr std::string_view kLevels[] = {"microsecond", "millisecond", "second", "minute",  "hour",
                                        "day",         "week",        "month",  "quarter", "year"};

Result<Level> LevelOf(const ExpressionSpec& spec, Level least) {
  const auto found = spec.attributes.find("level");
  if (found != spec.attributes.end() && found->is_string()) {
    const auto* name = std::ranges::find(kLevels, found->get_ref<const std::string&>());
    const auto level = static_cast<Level>(name - std::begin(kLevels));
    if (name != std::end(kLevels) && level >= least) return level;
  }
  return Status::Invalid(spec.function, " has no attribute \"level\" that it takes");
}

// The first of a quarter is found on a calendar without end, and may not be a date (DateTimeUtils.
// localDateToDays raises an error); other units are counted in days, which wrap.
int64_t TruncateDays(int32_t days, Level level) {
  if (level == Level::kWeek) return NextDayOfWeek(static_cast<int32_t>(Wrapped(days, -7)), kMonday);
  CivilDate date = CivilOf(days);
  date.day = 1;
  if (level == Level::kQuarter) date.month -= (date.month - 1) % 3;
  if (level == Level::kYear) date.month = 1;
  const int64_t first = DaysOf(date);
  return level == Level::kQuarter ? first : static_cast<int32_t>(first);
}

class TruncateDate : public NullIntolerant {
 public:
  TruncateDate(FunctionCall call, Level level)
      : NullIntolerant(call.spec.type, std::move(call.arguments), level == Level::kQuarter),
        level_(level) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<int32_t> days(arguments[0]);
    ARROW_ASSIGN_OR_RAISE(auto result,
                          CheckedRows<int32_t>(
                              nulls, row_count, /*raise=*/true, pool,
                              [&](int64_t row, int32_t* out) {
                                const int64_t first = TruncateDays(days[row], level_);
                                *out = static_cast<int32_t>(first);
                                return *out == first;
                              },
                              [](int64_t) { return ArithmeticOverflow("integer overflow", ""); }));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }

 private:
  Level level_;
};

class TruncateTimestamp : public NullIntolerant {
 public:
  TruncateTimestamp(FunctionCall call, Level level, ZoneRules zone)
      : NullIntolerant(call.spec.type, std::move(call.arguments), true),
        level_(level),
        zone_(std::move(zone)) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<int64_t> micros(arguments[0]);
    ZoneOffsets offsets(zone_);
    ARROW_ASSIGN_OR_RAISE(auto result, CheckedRows<int64_t>(
                                           nulls, row_count, /*raise=*/true, pool,
                                           [&](int64_t row, int64_t* out) {
                                             return Truncate(micros[row], &offsets, out);
                                           },
                                           [](int64_t) { return LongOverflow(); }));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }

 private:
  bool Truncate(int64_t micros, ZoneOffsets* offsets, int64_t* out) const {
    // Below the minute no zone plays a part. The subtraction wraps as Java's.
    if (level_ <= Level::kSecond) {
      constexpr int64_t kUnits[] = {1, 1000, kMicrosPerSecond};
      const int64_t rest = FloorMod(micros, kUnits[static_cast<int>(level_)]);
      *out = static_cast<int64_t>(static_cast<uint64_t>(micros) - static_cast<uint64_t>(rest));
      return true;
    }
    const int64_t seconds = FloorDiv(micros, kMicrosPerSecond);
    const int32_t offset = offsets->At(seconds);
    const int64_t local = seconds + offset;
    if (level_ <= Level::kDay) {
      const int64_t unit = level_ == Level::kMinute ? 60
                           : level_ == Level::kHour ? 3600
                                                    : kSecondsPerDay;
      return MicrosOf(zone_.InstantOf(local - FloorMod(local, unit), offset), 0, out);
    }
    const auto days = static_cast<int32_t>(FloorDiv(local, kSecondsPerDay));
    return MicrosOf(zone_.StartOfDay(static_cast<int32_t>(TruncateDays(days, level_))), 0, out);
  }

  Level level_;
  ZoneRules zone_;
};

}  // namespace

MadeExpression MakeTruncateDate(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(const Level level, LevelOf(call.spec, Level::kWeek));
  return std::make_unique<TruncateDate>(std::move(call), level);
}

MadeExpression MakeTruncateTimestamp(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(const Level level, LevelOf(call.spec, Level::kMicrosecond));
  ARROW_ASSIGN_OR_RAISE(auto zone, ZoneRules::Of(call.spec));
  return std::make_unique<TruncateTimestamp>(std::move(call), level, std::move(zone));
}

}  // namespace reprise
