// timestamp_add: a timestamp moved by a constant interval.
// Input: one timestamp, or one without zone, which is as of UTC; attributes `months`, or `micros`
// with at most 63 bits; `zone` (zone_rules.h). Output: as the input. Months and whole days move the
// local date-time, which is then found in the zone again; the rest of a day moves the instant
// (DateTimeUtils.timestampAddMonths and timestampAddDayTime).
//   timestamp_add(2024-03-30 01:30:00Z in Europe/Berlin, one day) = 2024-03-31 01:30:00Z
#include "expressions/checked_rows.h"
#include "expressions/date_arithmetic.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/spark_errors.h"
#include "expressions/zone_rules.h"

namespace reprise {

namespace {

constexpr int64_t kMicrosPerDay = kSecondsPerDay * kMicrosPerSecond;

class TimestampAdd : public NullIntolerant {
 public:
  TimestampAdd(FunctionCall call, int64_t months, int64_t micros, ZoneRules zone)
      : NullIntolerant(call.spec.type, std::move(call.arguments), true),
        months_(months),
        days_(micros / kMicrosPerDay),
        micros_(micros % kMicrosPerDay),
        zone_(std::move(zone)) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<int64_t> micros(arguments[0]);
    ZoneOffsets offsets(zone_);
    ARROW_ASSIGN_OR_RAISE(
        auto result, CheckedRows<int64_t>(
                         nulls, row_count, /*raise=*/true, pool,
                         [&](int64_t row, int64_t* out) { return Add(micros[row], &offsets, out); },
                         [](int64_t) { return LongOverflow(); }));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }

 private:
  bool Add(int64_t micros, ZoneOffsets* offsets, int64_t* out) const {
    const int64_t seconds = FloorDiv(micros, kMicrosPerSecond);
    const int32_t offset = offsets->At(seconds);
    const int64_t local = seconds + offset;
    int64_t days = FloorDiv(local, kSecondsPerDay);
    if (months_ != 0) days = PlusMonths(days, months_);
    days += days_;
    const int64_t instant =
        zone_.InstantOf(days * kSecondsPerDay + FloorMod(local, kSecondsPerDay), offset);
    return MicrosOf(instant, FloorMod(micros, kMicrosPerSecond) + micros_, out);
  }

  int64_t months_;
  int64_t days_;
  int64_t micros_;
  ZoneRules zone_;
};

Result<int64_t> IntegerAttribute(const ExpressionSpec& spec, const char* name) {
  const auto found = spec.attributes.find(name);
  if (found == spec.attributes.end()) return 0;
  if (!found->is_number_integer()) {
    return Status::Invalid(spec.function, ": the attribute \"", name, "\" is no integer");
  }
  return found->get<int64_t>();
}

}  // namespace

MadeExpression MakeTimestampAdd(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(const int64_t months, IntegerAttribute(call.spec, "months"));
  ARROW_ASSIGN_OR_RAISE(const int64_t micros, IntegerAttribute(call.spec, "micros"));
  if (months != static_cast<int32_t>(months)) {
    return Status::Invalid("timestamp_add: ", months, " months are more than an integer holds");
  }
  ARROW_ASSIGN_OR_RAISE(auto zone, ZoneRules::Of(call.spec));
  return std::make_unique<TimestampAdd>(std::move(call), months, micros, std::move(zone));
}

}  // namespace reprise
