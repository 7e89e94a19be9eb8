// cast from and to timestamps: dates, timestamps without zone, numbers; cast_to_string.cc has text.
// Input: one argument; attributes `ansi` and `zone` (zone_rules.h). Output: the type of the cast.
// Seconds that an integer type does not hold are null, or CAST_OVERFLOW under ansi; longs that
// are too many seconds saturate (Spark's Cast).
//   cast(2024-03-31 23:30:00Z as date) = 2024-04-01 in Europe/Berlin
#include <limits>

#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/spark_errors.h"
#include "expressions/timestamp_text.h"
#include "expressions/zone_rules.h"

namespace reprise {

namespace {

/// What the kinds of casts have in common: a loop over In that gives Out or fails.
template <typename In, typename Out>
class ZonedCast : public NullIntolerant {
 public:
  ZonedCast(FunctionCall call, ZoneRules zone, bool can_fail)
      : NullIntolerant(call.spec.type, std::move(call.arguments), can_fail),
        zone_(std::move(zone)) {}

 protected:
  const ZoneRules& zone() const { return zone_; }

  template <typename F, typename E>
  Result<std::shared_ptr<arrow::Array>> Rows(const Column& column, const Nulls& nulls,
                                             int64_t row_count, bool raise, arrow::MemoryPool* pool,
                                             F&& convert, E&& error) const {
    const AnyValues<In> in(column);
    ARROW_ASSIGN_OR_RAISE(auto result,
                          CheckedRows<Out>(
                              nulls, row_count, raise, pool,
                              [&](int64_t row, Out* out) { return convert(in[row], out); },
                              [&](int64_t row) { return error(in[row]); }));
    return this->ToArray(std::move(result.values), result.nulls, row_count);
  }

 private:
  ZoneRules zone_;
};

class DateToTimestamp : public ZonedCast<int32_t, int64_t> {
 public:
  DateToTimestamp(FunctionCall call, ZoneRules zone)
      : ZonedCast(std::move(call), std::move(zone), true) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    return Rows(
        arguments[0], nulls, row_count, /*raise=*/true, pool,
        [&](int32_t days, int64_t* out) { return MicrosOf(zone().StartOfDay(days), 0, out); },
        [](int32_t) { return LongOverflow(); });
  }
};

class TimestampToDate : public ZonedCast<int64_t, int32_t> {
 public:
  TimestampToDate(FunctionCall call, ZoneRules zone)
      : ZonedCast(std::move(call), std::move(zone), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    ZoneOffsets offsets(zone());
    const AnyValues<int64_t> micros(arguments[0]);
    ARROW_ASSIGN_OR_RAISE(
        auto values, AllRowsOf<int32_t>(row_count, pool, [&](int64_t row) {
          const int64_t seconds = FloorDiv(micros[row], kMicrosPerSecond);
          return static_cast<int32_t>(FloorDiv(seconds + offsets.At(seconds), kSecondsPerDay));
        }));
    return ToArray(std::move(values), nulls, row_count);
  }
};

/// Between an instant and its local date-time; `to_local` says which way.
class ZoneChange : public ZonedCast<int64_t, int64_t> {
 public:
  ZoneChange(FunctionCall call, ZoneRules zone, bool to_local)
      : ZonedCast(std::move(call), std::move(zone), true), to_local_(to_local) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    ZoneOffsets offsets(zone());
    return Rows(
        arguments[0], nulls, row_count, /*raise=*/true, pool,
        [&](int64_t micros, int64_t* out) {
          const int64_t seconds = FloorDiv(micros, kMicrosPerSecond);
          const int64_t moved =
              to_local_ ? seconds + offsets.At(seconds) : zone().InstantOf(seconds);
          return MicrosOf(moved, FloorMod(micros, kMicrosPerSecond), out);
        },
        [](int64_t) { return LongOverflow(); });
  }

 private:
  bool to_local_;
};

template <typename Out>
class TimestampToNumber : public ZonedCast<int64_t, Out> {
 public:
  static constexpr bool kCanOverflow = std::is_integral_v<Out> && sizeof(Out) < sizeof(int64_t);

  TimestampToNumber(FunctionCall call, ZoneRules zone, bool ansi)
      : ZonedCast<int64_t, Out>(std::move(call), std::move(zone), ansi && kCanOverflow),
        ansi_(ansi) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const auto convert = [](int64_t micros, Out* out) {
      if constexpr (std::is_floating_point_v<Out>) {
        *out = static_cast<Out>(static_cast<double>(micros) / 1e6);
        return true;
      } else {
        const int64_t seconds = FloorDiv(micros, kMicrosPerSecond);
        *out = static_cast<Out>(seconds);
        return *out == seconds;
      }
    };
    const auto error = [this](int64_t micros) {
      const int64_t seconds = FloorDiv(micros, kMicrosPerSecond);
      const int64_t local = seconds + this->zone().OffsetAt(seconds);
      const std::string text = TimestampToText(local, FloorMod(micros, kMicrosPerSecond));
      return CastOverflow("TIMESTAMP '" + text + "'", this->argument(0).type(), this->type());
    };
    return this->Rows(arguments[0], nulls, row_count, ansi_, pool, convert, error);
  }

 private:
  bool ansi_;
};

template <typename In>
class NumberToTimestamp : public ZonedCast<In, int64_t> {
 public:
  explicit NumberToTimestamp(FunctionCall call)
      : ZonedCast<In, int64_t>(std::move(call), ZoneRules(), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    return this->Rows(
        arguments[0], nulls, row_count, /*raise=*/false, pool,
        [](In seconds, int64_t* out) {
          if (!MicrosOf(seconds, 0, out)) {
            *out = seconds < 0 ? std::numeric_limits<int64_t>::min()
                               : std::numeric_limits<int64_t>::max();
          }
          return true;
        },
        [](In) { return LongOverflow(); });
  }
};

MadeExpression MakeToNumber(FunctionCall call, ZoneRules zone, bool ansi) {
  return VisitStorage(call.spec.type, [&]<typename Out>() -> MadeExpression {
    if constexpr (!std::is_arithmetic_v<Out>) {
      return Status::NotImplemented("cast of timestamp to ", call.spec.type.ToString());
    } else {
      return std::make_unique<TimestampToNumber<Out>>(std::move(call), std::move(zone), ansi);
    }
  });
}

MadeExpression MakeFromNumber(FunctionCall call) {
  return VisitStorage(call.arguments[0]->type(), [&]<typename In>() -> MadeExpression {
    if constexpr (!std::is_integral_v<In>) {
      return Status::NotImplemented("cast to timestamp from ",
                                    call.arguments[0]->type().ToString());
    } else {
      return std::make_unique<NumberToTimestamp<In>>(std::move(call));
    }
  });
}

}  // namespace

MadeExpression MakeCastTimestamp(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  ARROW_ASSIGN_OR_RAISE(auto zone, ZoneRules::Of(call.spec));
  const DataType from = call.arguments[0]->type();
  const DataType& to = call.spec.type;
  const bool from_local = from.is(TypeKind::kTimestampNtz);
  const bool from_timestamp = from_local || from.is(TypeKind::kTimestamp);
  // A timestamp without zone is as of UTC, whatever the session's zone is.
  if (to.is(TypeKind::kDate)) {
    return std::make_unique<TimestampToDate>(std::move(call), from_local ? ZoneRules() : zone);
  }
  if (from.is(TypeKind::kDate)) {
    const bool to_local = to.is(TypeKind::kTimestampNtz);
    return std::make_unique<DateToTimestamp>(std::move(call), to_local ? ZoneRules() : zone);
  }
  if (!from_timestamp) return MakeFromNumber(std::move(call));
  if (to.is(TypeKind::kTimestampNtz) || to.is(TypeKind::kTimestamp)) {
    return std::make_unique<ZoneChange>(std::move(call), std::move(zone), !from_local);
  }
  return MakeToNumber(std::move(call), std::move(zone), ansi);
}

}  // namespace reprise
