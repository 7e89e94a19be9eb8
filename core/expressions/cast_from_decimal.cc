// cast of decimals to boolean, integers, float and double; unscaled_value.
// Input: one decimal; attribute `ansi`. Output: the specification's type. Integers are truncated;
// without ansi they keep the low bits, under ansi what does not fit is CAST_OVERFLOW (Spark's Cast;
// Decimal.toLong, roundToInt). Floating point is rounded to nearest.
//   cast(decimal(10,2) 128.50 as tinyint) = -128
#include <cfloat>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "base/check.h"
#include "expressions/decimal_binary.h"
#include "expressions/spark_errors.h"
#include "expressions/sql_literals.h"
#include "plan/decimal_form.h"

namespace reprise {

namespace {

Int128 IntegralPart(Int128 unscaled, int scale) {
  return scale == 0 ? unscaled : DivideTruncated(unscaled, kPowersOfTen[scale]);
}

// The nearest floating-point number. Below 2^24 or 2^53, over a power of ten that is exact, one
// division rounds once; else the decimal text is read.
template <typename To>
To Nearest(Int128 unscaled, int scale) {
  constexpr int kMantissaBits = std::is_same_v<To, double> ? DBL_MANT_DIG : FLT_MANT_DIG;
  constexpr int kExactPower = std::is_same_v<To, double> ? 22 : 10;
  const bool exact = Magnitude(unscaled) <= (static_cast<Int128>(1) << kMantissaBits);
  if (exact && scale <= kExactPower) {
    return static_cast<To>(static_cast<int64_t>(unscaled)) / static_cast<To>(kPowersOfTen[scale]);
  }
  const std::string text = ToString(unscaled) + "e-" + std::to_string(scale);
  To value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  REPRISE_CHECK(error == std::errc(), "{} is not read as a number", text);
  return value;
}

// Spark asks whether a value fits on the integer itself for decimals that it holds as a long, and
// for long. Of one that it holds as a BigDecimal it asks the nearest double, and takes the result
// from it (Decimal.roundToNumeric; 0.9999999999999999999 becomes 1).
template <typename To>
class DecimalToInteger : public NullIntolerant {
 public:
  DecimalToInteger(FunctionCall call, bool ansi, DecimalForm::Kind form,
                   std::vector<std::unique_ptr<Expression>> steps)
      : NullIntolerant(call.spec.type, std::move(call.arguments), ansi),
        ansi_(ansi),
        // Branches of both forms are refused by the rules.
        is_long_(form == DecimalForm::Kind::kLong || form == DecimalForm::Kind::kEither),
        steps_(std::move(steps)) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    if (steps_.empty() || input.row_count() == 0) return NullIntolerant::Evaluate(input);
    ARROW_ASSIGN_OR_RAISE(auto array, EvaluateToArray(argument(0), input));
    const Column column{std::move(array), nullptr};
    const Column columns[] = {column};
    ARROW_ASSIGN_OR_RAISE(const Nulls nulls,
                          UnionOfNulls(columns, input.row_count(), input.pool()));
    ARROW_ASSIGN_OR_RAISE(const std::vector<int32_t> exceptions, NotLongs(column, nulls, input));
    ARROW_ASSIGN_OR_RAISE(auto result,
                          Converted(column, nulls, input.row_count(), exceptions, input.pool()));
    return Column{std::move(result), nullptr};
  }

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    return Converted(arguments[0], nulls, row_count, {}, pool);
  }

 private:
  const DataType& from() const { return argument(0).type(); }

  // `exceptions`: rows, ascending, that Spark holds otherwise than as is_long_ says.
  Result<std::shared_ptr<arrow::Array>> Converted(const Column& column, const Nulls& nulls,
                                                  int64_t row_count,
                                                  std::span<const int32_t> exceptions,
                                                  arrow::MemoryPool* pool) const {
    const DecimalValues rows(column, from());
    ARROW_ASSIGN_OR_RAISE(auto result,
                          (CheckedRows<To>(
                              nulls, row_count, ansi_, pool,
                              [&](int64_t row, To* out) {
                                if (!exceptions.empty() && exceptions.front() == row) [[unlikely]] {
                                  exceptions = exceptions.subspan(1);
                                  return FromDouble(rows[row], out);
                                }
                                return Convert(rows[row], out);
                              },
                              [&](int64_t row) {
                                return CastOverflow(SqlLiteral(rows[row], from()), from(), type());
                              })));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }

  bool Convert(Int128 unscaled, To* out) const {
    const Int128 whole = IntegralPart(unscaled, from().scale);
    *out = static_cast<To>(whole);  // the low bits, as Java's longValue and narrowing
    if (!ansi_) return true;
    if (is_long_ || sizeof(To) == sizeof(int64_t) || !FormMatters(unscaled)) return *out == whole;
    return FromDouble(unscaled, out);
  }

  bool FromDouble(Int128 unscaled, To* out) const {
    const double nearest = Nearest<double>(unscaled, from().scale);
    if (std::floor(nearest) > std::numeric_limits<To>::max() ||
        std::ceil(nearest) < std::numeric_limits<To>::min()) {
      return false;
    }
    *out = static_cast<To>(nearest);
    return true;
  }

  static bool FormMatters(Int128 unscaled) {
    return Magnitude(unscaled) >= kPowersOfTen[kFormlessDigits];
  }

  // The rows that Spark holds as BigDecimals, because they, or what they are made of, have more
  // than 18 digits. Only rows for which that matters are looked at.
  Result<std::vector<int32_t>> NotLongs(const Column& column, const Nulls& nulls,
                                        EvalInput& input) const {
    std::vector<int32_t> doubtful;
    const DecimalValues rows(column, from());
    for (int64_t row = 0; row < input.row_count(); ++row) {
      if (nulls.IsValid(row) && FormMatters(rows[row])) {
        doubtful.push_back(static_cast<int32_t>(row));
      }
    }
    if (doubtful.empty()) return doubtful;
    std::vector<bool> is_long(doubtful.size(), true);
    EvalInput some(input, doubtful);
    for (const auto& step : steps_) {
      ARROW_ASSIGN_OR_RAISE(auto array, EvaluateToArray(*step, some));
      const DecimalValues values(Column{array, nullptr}, step->type());
      for (size_t i = 0; i < doubtful.size(); ++i) {
        const auto row = static_cast<int64_t>(i);
        if (array->IsValid(row) && Magnitude(values[row]) >= kPowersOfTen[kLongDigits]) {
          is_long[i] = false;
        }
      }
    }
    size_t kept = 0;
    for (size_t i = 0; i < doubtful.size(); ++i) {
      if (!is_long[i]) doubtful[kept++] = doubtful[i];
    }
    doubtful.resize(kept);
    return doubtful;
  }

  static constexpr int kLongDigits = 18;  // Decimal.MAX_LONG_DIGITS

  bool ansi_;
  bool is_long_;
  std::vector<std::unique_ptr<Expression>> steps_;
};

template <typename To>
MadeExpression MakeToInteger(FunctionCall call, bool ansi) {
  const DecimalForm form = DecimalFormOf(call.spec.arguments[0]);
  std::vector<std::unique_ptr<Expression>> steps;
  if (ansi && sizeof(To) < sizeof(int64_t)) {
    for (const ExpressionSpec* step : form.steps) {
      ARROW_ASSIGN_OR_RAISE(auto made, MakeExpression(*step, call.input));
      steps.push_back(std::move(made));
    }
  }
  return std::make_unique<DecimalToInteger<To>>(std::move(call), ansi, form.kind, std::move(steps));
}

template <typename To>
class DecimalToFloating : public NullIntolerant {
 public:
  explicit DecimalToFloating(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const DataType& from = argument(0).type();
    const DecimalValues rows(arguments[0], from);
    ARROW_ASSIGN_OR_RAISE(auto values, AllRowsOf<To>(row_count, pool, [&](int64_t row) {
                            return nulls.IsValid(row) ? Nearest<To>(rows[row], from.scale) : To(0);
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }
};

class DecimalToBoolean : public NullIntolerant {
 public:
  explicit DecimalToBoolean(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                          arrow::AllocateBuffer(arrow::bit_util::BytesForBits(row_count), pool));
    const DecimalValues rows(arguments[0], argument(0).type());
    WriteBits(row_count, bits->mutable_data(), [&](int64_t row) { return rows[row] != 0; });
    return ToArray(std::move(bits), nulls, row_count);
  }
};

// The unscaled long of a decimal of at most 18 digits: the same memory.
class UnscaledValue : public NullIntolerant {
 public:
  explicit UnscaledValue(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    if (arguments[0].array) {
      const auto& data = *arguments[0].array->data();
      return ToArray(
          arrow::SliceBuffer(data.buffers[1], data.offset * static_cast<int64_t>(sizeof(int64_t))),
          nulls, row_count);
    }
    const int64_t value = ConstantOf<int64_t>(*arguments[0].scalar);
    ARROW_ASSIGN_OR_RAISE(auto values,
                          AllRowsOf<int64_t>(row_count, pool, [=](int64_t) { return value; }));
    return ToArray(std::move(values), nulls, row_count);
  }
};

}  // namespace

MadeExpression MakeCastFromDecimal(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  switch (call.spec.type.kind) {
    case TypeKind::kBoolean:
      return std::make_unique<DecimalToBoolean>(std::move(call));
    case TypeKind::kFloat:
      return std::make_unique<DecimalToFloating<float>>(std::move(call));
    case TypeKind::kDouble:
      return std::make_unique<DecimalToFloating<double>>(std::move(call));
    case TypeKind::kByte:
      return MakeToInteger<int8_t>(std::move(call), ansi);
    case TypeKind::kShort:
      return MakeToInteger<int16_t>(std::move(call), ansi);
    case TypeKind::kInteger:
      return MakeToInteger<int32_t>(std::move(call), ansi);
    default:
      return MakeToInteger<int64_t>(std::move(call), ansi);
  }
}

MadeExpression MakeUnscaledValue(FunctionCall call) {
  if (!call.arguments[0]->type().is_short_decimal()) {
    return Status::NotImplemented("unscaled_value of ", call.arguments[0]->type().ToString(),
                                  ": more than 18 digits");
  }
  return std::make_unique<UnscaledValue>(std::move(call));
}

}  // namespace reprise
