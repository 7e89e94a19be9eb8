// cast of booleans, integers and decimals to decimals; check_overflow; make_decimal.
// Input: one argument; attribute `ansi`, or `null_on_overflow`. Output: the specification's decimal
// type, rounded half up; what does not fit is null, or NUMERIC_VALUE_OUT_OF_RANGE (Spark's Cast,
// CheckOverflow, MakeDecimal).
//   cast(decimal(4,2) 9.95 as decimal(3,1)) = 10.0
#include "expressions/decimal_binary.h"
#include "expressions/spark_errors.h"

namespace reprise {

namespace {

// The decimal that holds every value of the type.
DataType DecimalHolding(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return Decimal(1, 0);
    case TypeKind::kByte:
      return Decimal(3, 0);
    case TypeKind::kShort:
      return Decimal(5, 0);
    case TypeKind::kInteger:
      return Decimal(10, 0);
    case TypeKind::kLong:
      return Decimal(19, 0);
    default:
      return type;
  }
}

bool AlwaysFits(const DataType& from, const DataType& to) {
  const int digits = from.precision - from.scale;
  const int room = to.precision - to.scale;
  return to.scale >= from.scale ? room >= digits : room > digits;  // rounding may carry
}

// Calls f with the argument's values, which convert to Int128.
template <typename F>
auto VisitIntegers(const Column& column, const DataType& type, F&& f) {
  if (type.is(TypeKind::kBoolean)) return VisitBooleans(column, f);
  return VisitStorage(type, [&]<typename T>() {
    if constexpr (std::is_floating_point_v<T>) {
      return f(Constant<int64_t>{0});  // cast_double_to_decimal.cc
    } else {
      return VisitValues<T>(column, f);
    }
  });
}

// As a decimal cast, but the argument is already unscaled: make_decimal.
enum class Source { kValue, kUnscaled };

class ToDecimal : public NullIntolerant {
 public:
  ToDecimal(FunctionCall call, DataType from, bool raise, Source source)
      : NullIntolerant(call.spec.type, std::move(call.arguments),
                       raise && !AlwaysFits(from, call.spec.type)),
        from_(from),
        raise_(raise),
        source_(source) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    return VisitIntegers(arguments[0], argument(0).type(), [&](auto rows) {
      if (type().is_short_decimal()) return Run<int64_t>(rows, nulls, row_count, pool);
      return Run<Int128Cell>(rows, nulls, row_count, pool);
    });
  }

 private:
  template <typename T, typename Values>
  Result<std::shared_ptr<arrow::Array>> Run(const Values& rows, const Nulls& nulls,
                                            int64_t row_count, arrow::MemoryPool* pool) const {
    if (from_.scale <= type().scale && AlwaysFits(from_, type())) {
      // Unsigned: rows that are null may hold anything.
      const auto factor = static_cast<unsigned __int128>(kPowersOfTen[type().scale - from_.scale]);
      ARROW_ASSIGN_OR_RAISE(auto values, AllRowsOf<T>(row_count, pool, [=](int64_t row) {
                              const auto value =
                                  static_cast<unsigned __int128>(static_cast<Int128>(rows[row]));
                              return static_cast<T>(static_cast<Int128>(value * factor));
                            }));
      return ToArray(std::move(values), nulls, row_count);
    }
    ARROW_ASSIGN_OR_RAISE(
        auto result, (CheckedRows<T>(
                         nulls, row_count, raise_, pool,
                         [&](int64_t row, T* out) {
                           const auto value = Rescale(static_cast<Int128>(rows[row]), from_.scale,
                                                      type().scale, type().precision);
                           if (value) *out = static_cast<T>(*value);
                           return value.has_value();
                         },
                         [&](int64_t row) { return Error(static_cast<Int128>(rows[row])); })));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }

  Status Error(Int128 value) const {
    // Spark's MakeDecimal shows the decimal before the value is set in it, which is 0.
    const std::string text = source_ == Source::kUnscaled ? "0" : PlainDecimal(value, from_.scale);
    return NumericValueOutOfRange(text, type().precision, type().scale);
  }

  DataType from_;
  bool raise_;
  Source source_;
};

}  // namespace

MadeExpression MakeCastToDecimal(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  const DataType from = DecimalHolding(call.arguments[0]->type());
  return std::make_unique<ToDecimal>(std::move(call), from, ansi, Source::kValue);
}

MadeExpression MakeCheckOverflow(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool null_on_overflow, BooleanAttribute(call.spec, "null_on_overflow"));
  const DataType from = call.arguments[0]->type();
  return std::make_unique<ToDecimal>(std::move(call), from, !null_on_overflow, Source::kValue);
}

MadeExpression MakeMakeDecimal(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool null_on_overflow, BooleanAttribute(call.spec, "null_on_overflow"));
  const DataType from = Decimal(19, call.spec.type.scale);
  return std::make_unique<ToDecimal>(std::move(call), from, !null_on_overflow, Source::kUnscaled);
}

}  // namespace reprise
