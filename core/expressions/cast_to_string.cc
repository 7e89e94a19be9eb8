// cast of booleans, integers, decimals, dates and timestamps to string.
// Input: one argument; attributes `ansi`, and of timestamps `zone` (zone_rules.h). Decimals are
// plain under ansi and as BigDecimal.toString otherwise; years beyond 9999 carry a plus, years
// before 0 a minus (Spark's ToStringBase).
//   cast([12.50, null] as string) = ["12.50", null];  cast(date 0 as string) = "1970-01-01"
#include <arrow/builder.h>

#include "expressions/decimal_binary.h"
#include "expressions/timestamp_text.h"
#include "expressions/zone_rules.h"

namespace reprise {

namespace {

// BigDecimal.toString: scientific where the exponent is below -6.
std::string DecimalText(Int128 unscaled, int scale) {
  std::string digits = ToString(Magnitude(unscaled));
  const int exponent = static_cast<int>(digits.size()) - 1 - scale;
  if (exponent >= -6) return PlainDecimal(unscaled, scale);
  if (digits.size() > 1) digits.insert(1, ".");
  return fmt::format("{}{}E{}", unscaled < 0 ? "-" : "", digits, exponent);
}

class CastToString : public NullIntolerant {
 public:
  CastToString(FunctionCall call, bool ansi, ZoneRules zone)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false),
        ansi_(ansi),
        zone_(std::move(zone)) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const Column& column = arguments[0];
    const DataType& from = argument(0).type();
    if (from.is(TypeKind::kBoolean)) {
      return VisitBooleans(column, [&](auto rows) {
        return Texts(nulls, row_count, pool,
                     [&](int64_t row) { return std::string(rows[row] ? "true" : "false"); });
      });
    }
    if (from.is(TypeKind::kDate)) {
      const AnyValues<int32_t> days(column);
      return Texts(nulls, row_count, pool, [&](int64_t row) { return DateToText(days[row]); });
    }
    if (from.is(TypeKind::kTimestamp) || from.is(TypeKind::kTimestampNtz)) {
      return TimestampTexts(column, nulls, row_count, pool);
    }
    if (from.is(TypeKind::kDecimal)) {
      const DecimalValues values(column, from);
      return Texts(nulls, row_count, pool, [&](int64_t row) {
        return ansi_ ? PlainDecimal(values[row], from.scale) : DecimalText(values[row], from.scale);
      });
    }
    return VisitStorage(from, [&]<typename T>() -> Result<std::shared_ptr<arrow::Array>> {
      if constexpr (!std::is_integral_v<T>) {
        return Status::NotImplemented("cast of ", from.ToString(), " to string");
      } else {
        const AnyValues<T> values(column);
        return Texts(nulls, row_count, pool, [&](int64_t row) {
          return std::to_string(static_cast<int64_t>(values[row]));
        });
      }
    });
  }

 private:
  Result<std::shared_ptr<arrow::Array>> TimestampTexts(const Column& column, const Nulls& nulls,
                                                       int64_t row_count,
                                                       arrow::MemoryPool* pool) const {
    const ZoneRules utc;
    ZoneOffsets offsets(argument(0).type().is(TypeKind::kTimestampNtz) ? utc : zone_);
    const AnyValues<int64_t> micros(column);
    return Texts(nulls, row_count, pool, [&](int64_t row) {
      const int64_t seconds = FloorDiv(micros[row], kMicrosPerSecond);
      return TimestampToText(seconds + offsets.At(seconds),
                             FloorMod(micros[row], kMicrosPerSecond));
    });
  }

  template <typename F>
  static Result<std::shared_ptr<arrow::Array>> Texts(const Nulls& nulls, int64_t row_count,
                                                     arrow::MemoryPool* pool, F&& text) {
    arrow::StringBuilder builder(pool);
    RETURN_NOT_OK(builder.Reserve(row_count));
    for (int64_t row = 0; row < row_count; ++row) {
      if (nulls.IsValid(row)) {
        RETURN_NOT_OK(builder.Append(text(row)));
      } else {
        builder.UnsafeAppendNull();
      }
    }
    return builder.Finish();
  }

  bool ansi_;
  ZoneRules zone_;
};

}  // namespace

MadeExpression MakeCastToString(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  ARROW_ASSIGN_OR_RAISE(auto zone, ZoneRules::Of(call.spec));
  return std::make_unique<CastToString>(std::move(call), ansi, std::move(zone));
}

}  // namespace reprise
