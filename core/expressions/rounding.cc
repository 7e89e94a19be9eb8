// ceil, floor of doubles and decimals, round, bround of decimals.
// Input: one number; of decimals the attribute `scale` (0 where absent), digits kept after the
// point, below 0 before it. Output: long, of decimals a decimal that holds every result (Spark's
// Ceil, Floor, RoundCeil, RoundFloor, Round, BRound: up, down, half up, half even). A double beyond
// the longs saturates, NaN is 0, as in Java.
//   ceil(-1.5) = -1;  round(2.345 of scale 3, 2) = 2.35;  round(155, -1) = 160
#include <cmath>
#include <limits>

#include "expressions/checked_rows.h"
#include "expressions/decimal_binary.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"

namespace reprise {

namespace {

enum class Mode { kCeiling, kFloor, kHalfUp, kHalfEven };

/// value / 10^digits, rounded.
Int128 DroppedDigits(Int128 value, int digits, Mode mode) {
  if (digits <= 0) return value;
  // Less than half of 10^digits, whatever the value is.
  if (digits > kPrecisionMax) {
    return mode == Mode::kCeiling && value > 0 ? 1 : mode == Mode::kFloor && value < 0 ? -1 : 0;
  }
  const Int128 unit = kPowersOfTen[digits];
  const Int128 quotient = value / unit;
  const Int128 rest = value % unit;
  if (rest == 0) return quotient;
  const int sign = value < 0 ? -1 : 1;
  const Int128 magnitude = rest < 0 ? -rest : rest;
  const Int128 other = unit - magnitude;
  switch (mode) {
    case Mode::kCeiling:
      return sign > 0 ? quotient + 1 : quotient;
    case Mode::kFloor:
      return sign < 0 ? quotient - 1 : quotient;
    case Mode::kHalfUp:
      return magnitude >= other ? quotient + sign : quotient;
    case Mode::kHalfEven:
      return magnitude > other || (magnitude == other && quotient % 2 != 0) ? quotient + sign
                                                                            : quotient;
  }
  return quotient;
}

class RoundDecimal : public NullIntolerant {
 public:
  RoundDecimal(FunctionCall call, Mode mode, int scale)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false),
        mode_(mode),
        scale_(scale) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const DataType& from = argument(0).type();
    const DecimalValues values(arguments[0], from);
    const int digits = from.scale - scale_;
    const Int128 unit = scale_ < 0 ? kPowersOfTen[-scale_] : Int128{1};
    const auto rounded = [&](int64_t row) {
      return DroppedDigits(values[row], digits, mode_) * unit;
    };
    std::shared_ptr<arrow::Buffer> buffer;
    if (type().is_short_decimal()) {
      ARROW_ASSIGN_OR_RAISE(buffer, AllRowsOf<int64_t>(row_count, pool, [&](int64_t row) {
                              return nulls.IsValid(row) ? static_cast<int64_t>(rounded(row)) : 0;
                            }));
    } else {
      ARROW_ASSIGN_OR_RAISE(buffer, AllRowsOf<Int128Cell>(row_count, pool, [&](int64_t row) {
                              return Int128Cell(nulls.IsValid(row) ? rounded(row) : Int128{0});
                            }));
    }
    return ToArray(std::move(buffer), nulls, row_count);
  }

 private:
  Mode mode_;
  int scale_;
};

class WholeDouble : public NullIntolerant {
 public:
  WholeDouble(FunctionCall call, Mode mode)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false), mode_(mode) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<double> values(arguments[0]);
    ARROW_ASSIGN_OR_RAISE(
        auto buffer, AllRowsOf<int64_t>(row_count, pool, [&](int64_t row) {
          const double value = values[row];
          return AsLong(mode_ == Mode::kCeiling ? std::ceil(value) : std::floor(value));
        }));
    return ToArray(std::move(buffer), nulls, row_count);
  }

 private:
  static int64_t AsLong(double value) {
    constexpr double kEnd = 9223372036854775808.0;
    if (value != value) return 0;
    if (value >= kEnd) return std::numeric_limits<int64_t>::max();
    if (value < -kEnd) return std::numeric_limits<int64_t>::min();
    return static_cast<int64_t>(value);
  }

  Mode mode_;
};

Result<int> ScaleOf(const ExpressionSpec& spec) {
  const auto found = spec.attributes.find("scale");
  if (found == spec.attributes.end()) return 0;
  if (!found->is_number_integer()) {
    return Status::Invalid(spec.function, ": the attribute \"scale\" is no integer");
  }
  const int64_t scale = found->get<int64_t>();
  if (scale < -kPrecisionMax || scale > kPrecisionMax) {
    return Status::NotImplemented(spec.function, " to ", scale, " digits");
  }
  return static_cast<int>(scale);
}

MadeExpression MakeRounder(FunctionCall call, Mode mode) {
  const DataType from = call.arguments[0]->type();
  if (from == call.spec.type && from.is(TypeKind::kLong)) return std::move(call.arguments[0]);
  if (from.is(TypeKind::kDouble)) return std::make_unique<WholeDouble>(std::move(call), mode);
  ARROW_ASSIGN_OR_RAISE(int scale, ScaleOf(call.spec));
  scale = std::min(scale, from.scale);
  // One digit more than before the point, so that no result is too long.
  const int before = std::max(from.precision - from.scale + 1, scale < 0 ? 1 - scale : 0);
  const int room = call.spec.type.precision - call.spec.type.scale;
  const bool keeps_all = scale == from.scale && room >= from.precision - from.scale;
  if (call.spec.type.scale != std::max(scale, 0) || (room < before && !keeps_all)) {
    return Status::NotImplemented(call.spec.function, "(", from.ToString(), ") to ", scale,
                                  " digits as ", call.spec.type.ToString());
  }
  return std::make_unique<RoundDecimal>(std::move(call), mode, scale);
}

}  // namespace

MadeExpression MakeCeil(FunctionCall call) { return MakeRounder(std::move(call), Mode::kCeiling); }
MadeExpression MakeFloor(FunctionCall call) { return MakeRounder(std::move(call), Mode::kFloor); }
MadeExpression MakeRound(FunctionCall call) { return MakeRounder(std::move(call), Mode::kHalfUp); }
MadeExpression MakeBround(FunctionCall call) {
  return MakeRounder(std::move(call), Mode::kHalfEven);
}

}  // namespace reprise
