// hour, minute, second, second_with_fraction of a timestamp in a zone, and unix_seconds,
// unix_millis, unix_micros of one.
// Input: one timestamp, or one without zone, which is as of UTC; attribute `zone` (zone_rules.h).
// Output: integer, for second_with_fraction decimal(8,6), for the last three long (Spark's classes
// of the same names).
//   hour(2024-03-31 01:30:00Z in Europe/Berlin) = 3;  second_with_fraction(… 15.25) = 15.250000
#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/zone_rules.h"

namespace reprise {

namespace {

/// `kField(local seconds, microseconds of the second)`.
template <typename Out, Out (*kField)(int64_t, int64_t)>
class LocalField : public NullIntolerant {
 public:
  LocalField(FunctionCall call, ZoneRules zone)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false), zone_(std::move(zone)) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<int64_t> micros(arguments[0]);
    ZoneOffsets offsets(zone_);
    ARROW_ASSIGN_OR_RAISE(auto values, AllRowsOf<Out>(row_count, pool, [&](int64_t row) {
                            const int64_t seconds = FloorDiv(micros[row], kMicrosPerSecond);
                            return kField(seconds + offsets.At(seconds),
                                          FloorMod(micros[row], kMicrosPerSecond));
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }

 private:
  ZoneRules zone_;
};

int32_t Hour(int64_t local, int64_t) {
  return static_cast<int32_t>(FloorMod(local, kSecondsPerDay) / 3600);
}
int32_t Minute(int64_t local, int64_t) { return static_cast<int32_t>(FloorMod(local, 3600) / 60); }
int32_t Second(int64_t local, int64_t) { return static_cast<int32_t>(FloorMod(local, 60)); }
int64_t SecondWithFraction(int64_t local, int64_t micros) {
  return FloorMod(local, 60) * kMicrosPerSecond + micros;
}
int64_t UnixSeconds(int64_t seconds, int64_t) { return seconds; }
int64_t UnixMillis(int64_t seconds, int64_t micros) { return seconds * 1000 + micros / 1000; }
// May wrap on its way, not in the end.
int64_t UnixMicros(int64_t seconds, int64_t micros) {
  return static_cast<int64_t>(static_cast<uint64_t>(seconds) * kMicrosPerSecond +
                              static_cast<uint64_t>(micros));
}

template <typename Out, Out (*kField)(int64_t, int64_t)>
MadeExpression MakeField(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(auto zone, ZoneRules::Of(call.spec));
  return std::make_unique<LocalField<Out, kField>>(std::move(call), std::move(zone));
}

}  // namespace

MadeExpression MakeHour(FunctionCall call) { return MakeField<int32_t, Hour>(std::move(call)); }
MadeExpression MakeMinute(FunctionCall call) { return MakeField<int32_t, Minute>(std::move(call)); }
MadeExpression MakeSecond(FunctionCall call) { return MakeField<int32_t, Second>(std::move(call)); }
MadeExpression MakeSecondWithFraction(FunctionCall call) {
  if (call.spec.type != Decimal(8, 6)) {
    return Status::NotImplemented("second_with_fraction as ", call.spec.type.ToString());
  }
  return MakeField<int64_t, SecondWithFraction>(std::move(call));
}
MadeExpression MakeUnixSeconds(FunctionCall call) {
  return MakeField<int64_t, UnixSeconds>(std::move(call));
}
MadeExpression MakeUnixMillis(FunctionCall call) {
  return MakeField<int64_t, UnixMillis>(std::move(call));
}
MadeExpression MakeUnixMicros(FunctionCall call) {
  return MakeField<int64_t, UnixMicros>(std::move(call));
}

}  // namespace reprise
