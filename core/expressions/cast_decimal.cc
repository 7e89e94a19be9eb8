// cast to and from decimals, and Spark's own conversions between a decimal and its unscaled long:
// unscaled_value, make_decimal, check_overflow. A value with too many digits is null, or
// NUMERIC_VALUE_OUT_OF_RANGE (CAST_OVERFLOW towards integers) under ansi.
//   cast([99.95] as decimal(3,1)) = [null];  unscaled_value([1.50]) = [150]
#include <charconv>
#include <cmath>
#include <limits>

#include "expressions/decimal_binary.h"
#include "expressions/spark_errors.h"
#include "expressions/sql_literals.h"

namespace reprise {

namespace {

// What a decimal is made of: an integer or a boolean (scale 0), or another decimal.
class UnscaledValues {
 public:
  UnscaledValues(const Column& column, const DataType& type) : column_(column), type_(type) {
    if (type.is(TypeKind::kDecimal)) decimals_.emplace(column, type);
  }
  Int128 operator[](int64_t row) const {
    if (decimals_) return (*decimals_)[row];
    if (type_.is(TypeKind::kBoolean)) {
      return VisitBooleans(column_, [&](auto rows) -> Int128 { return rows[row] ? 1 : 0; });
    }
    return VisitStorage(type_, [&]<typename T>() -> Int128 {
      if constexpr (std::is_integral_v<T>) return AnyValues<T>(column_)[row];
      return 0;
    });
  }

 private:
  const Column& column_;
  const DataType& type_;
  std::optional<DecimalValues> decimals_;
};

// Rescales to the type's precision and scale, rounding half up.
class ToDecimal : public NullIntolerant {
 public:
  ToDecimal(FunctionCall call, int from_scale, bool ansi)
      : NullIntolerant(call.spec.type, std::move(call.arguments), ansi),
        from_scale_(from_scale),
        ansi_(ansi) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    if (type().is_short_decimal()) return Run<int64_t>(arguments[0], nulls, row_count, pool);
    return Run<Int128Cell>(arguments[0], nulls, row_count, pool);
  }

 private:
  template <typename T>
  Result<std::shared_ptr<arrow::Array>> Run(const Column& column, const Nulls& nulls,
                                            int64_t row_count, arrow::MemoryPool* pool) const {
    const UnscaledValues values(column, argument(0).type());
    ARROW_ASSIGN_OR_RAISE(
        auto result, (CheckedRows<T>(
                         nulls, row_count, ansi_, pool,
                         [&](int64_t row, T* out) {
                           const auto value =
                               Rescale(values[row], from_scale_, type().scale, type().precision);
                           if (value) *out = static_cast<T>(*value);
                           return value.has_value();
                         },
                         [&](int64_t row) {
                           return NumericValueOutOfRange(PlainDecimal(values[row], from_scale_),
                                                         type().precision, type().scale);
                         })));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }

  int from_scale_;
  bool ansi_;
};

// BigDecimal.doubleValue and floatValue are correctly rounded; so is what follows.
template <typename T>
T ToFloating(Int128 unscaled, int scale) {
  constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if constexpr (std::is_same_v<T, double>) {
    // Both operands are exact, so the one division rounds once.
    if (Magnitude(unscaled) < (Int128{1} << 53) && scale >= 0 && scale <= 22) {
      return static_cast<double>(static_cast<int64_t>(unscaled)) / kPowers[scale];
    }
  }
  const std::string text = PlainDecimal(unscaled, scale);
  T value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

template <typename T>
class DecimalToFloating : public NullIntolerant {
 public:
  explicit DecimalToFloating(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const DecimalValues values(arguments[0], argument(0).type());
    const int scale = argument(0).type().scale;
    ARROW_ASSIGN_OR_RAISE(auto buffer, AllRowsOf<T>(row_count, pool, [&](int64_t row) {
                            return nulls.IsValid(row) ? ToFloating<T>(values[row], scale) : T(0);
                          }));
    return ToArray(std::move(buffer), nulls, row_count);
  }
};

// The integral part. Spark asks whether it fits on the integer itself for decimals of at most 18
// digits and for long, and on the nearest double for wider decimals (Decimal.roundToNumeric).
template <typename T>
class DecimalToIntegral : public NullIntolerant {
 public:
  DecimalToIntegral(FunctionCall call, bool ansi)
      : NullIntolerant(call.spec.type, std::move(call.arguments), ansi), ansi_(ansi) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const DataType& from = argument(0).type();
    const DecimalValues values(arguments[0], from);
    ARROW_ASSIGN_OR_RAISE(auto result,
                          (CheckedRows<T>(
                              nulls, row_count, ansi_, pool,
                              [&](int64_t row, T* out) { return Convert(values[row], from, out); },
                              [&](int64_t row) {
                                return CastOverflow(SqlLiteral(values[row], from), from, type());
                              })));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }

 private:
  bool Convert(Int128 unscaled, const DataType& from, T* out) const {
    const Int128 integral =
        from.scale > kPrecisionMax ? 0 : DivideTruncated(unscaled, kPowersOfTen[from.scale]);
    *out = static_cast<T>(integral);  // wraps, as Java's longValue and the narrowing after it
    if (!ansi_) return true;
    if (from.is_short_decimal() || sizeof(T) == sizeof(int64_t)) return *out == integral;
    const double nearest = ToFloating<double>(unscaled, from.scale);
    if (std::floor(nearest) > std::numeric_limits<T>::max() ||
        std::ceil(nearest) < std::numeric_limits<T>::min()) {
      return false;
    }
    *out = static_cast<T>(nearest);
    return true;
  }

  bool ansi_;
};

class DecimalToBoolean : public NullIntolerant {
 public:
  explicit DecimalToBoolean(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const DecimalValues values(arguments[0], argument(0).type());
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                          arrow::AllocateBuffer(arrow::bit_util::BytesForBits(row_count), pool));
    WriteBits(row_count, bits->mutable_data(),
              [&](int64_t row) -> uint8_t { return values[row] != 0; });
    return ToArray(std::move(bits), nulls, row_count);
  }
};

// The unscaled value as it is.
class UnscaledValue : public NullIntolerant {
 public:
  explicit UnscaledValue(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const DecimalValues values(arguments[0], argument(0).type());
    ARROW_ASSIGN_OR_RAISE(auto buffer, AllRowsOf<int64_t>(row_count, pool, [&](int64_t row) {
                            return static_cast<int64_t>(values[row]);
                          }));
    return ToArray(std::move(buffer), nulls, row_count);
  }
};

}  // namespace

MadeExpression MakeCastToDecimal(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  const DataType& from = call.arguments[0]->type();
  const int scale = from.is(TypeKind::kDecimal) ? from.scale : 0;
  return std::make_unique<ToDecimal>(std::move(call), scale, ansi);
}

MadeExpression MakeCastFromDecimal(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  switch (call.spec.type.kind) {
    case TypeKind::kBoolean:
      return std::make_unique<DecimalToBoolean>(std::move(call));
    case TypeKind::kByte:
      return std::make_unique<DecimalToIntegral<int8_t>>(std::move(call), ansi);
    case TypeKind::kShort:
      return std::make_unique<DecimalToIntegral<int16_t>>(std::move(call), ansi);
    case TypeKind::kInteger:
      return std::make_unique<DecimalToIntegral<int32_t>>(std::move(call), ansi);
    case TypeKind::kLong:
      return std::make_unique<DecimalToIntegral<int64_t>>(std::move(call), ansi);
    case TypeKind::kFloat:
      return std::make_unique<DecimalToFloating<float>>(std::move(call));
    default:
      return std::make_unique<DecimalToFloating<double>>(std::move(call));
  }
}

MadeExpression MakeUnscaledValue(FunctionCall call) {
  if (!call.arguments[0]->type().is_short_decimal()) {
    return Status::NotImplemented("unscaled_value of ", call.arguments[0]->type().ToString(),
                                  ": more than 18 digits");
  }
  return std::make_unique<UnscaledValue>(std::move(call));
}

// The long is the unscaled value: as a decimal of the result's own scale it needs no rescaling,
// only a check.
MadeExpression MakeMakeDecimal(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool null_on_overflow, BooleanAttribute(call.spec, "null_on_overflow"));
  const int scale = call.spec.type.scale;
  return std::make_unique<ToDecimal>(std::move(call), scale, !null_on_overflow);
}

MadeExpression MakeCheckOverflow(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool null_on_overflow, BooleanAttribute(call.spec, "null_on_overflow"));
  const int scale = call.arguments[0]->type().scale;
  return std::make_unique<ToDecimal>(std::move(call), scale, !null_on_overflow);
}

}  // namespace reprise
