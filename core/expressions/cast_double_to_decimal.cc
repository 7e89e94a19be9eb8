// cast of float and double to decimals of at most 14 digits.
// Input: one argument; attribute `ansi`. Output: the specification's decimal type, rounded half up;
// NaN and infinity are null, and so is what does not fit, or NUMERIC_VALUE_OUT_OF_RANGE.
//   cast(0.125 as decimal(3,2)) = 0.13
//
// Spark rounds the digits that Java prints of the double, of which there may be 17, and which
// differ between Javas. No digits of so small a type depend on that: the decimals half way between
// two of its values have at most 15 digits, each double is nearest to at most one decimal with so
// few, and Java prints that one. So a double is half way where it is nearest to the half, whatever
// its own binary digits say.
#include <array>
#include <charconv>
#include <cmath>

#include "expressions/checked_rows.h"
#include "expressions/decimal_math.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/spark_errors.h"

namespace reprise {

namespace {

/// The unscaled magnitude of a finite value, if it is below 10^precision.
std::optional<int64_t> RoundedMagnitude(double value, const DataType& type) {
  const double magnitude = std::abs(value);
  const auto power = [](int exponent) { return static_cast<double>(kPowersOfTen[exponent]); };
  if (magnitude >= power(type.precision - type.scale)) return std::nullopt;
  // Off by less than a hundredth.
  const double scaled = magnitude * power(type.scale);
  auto below = static_cast<int64_t>(scaled);
  const double fraction = scaled - static_cast<double>(below);
  bool up = fraction > 0.5;
  if (std::abs(fraction - 0.5) < 0.02) {
    // Both are exact, so that the quotient is the double nearest to the half.
    up = magnitude >= static_cast<double>(below * 10 + 5) / power(type.scale + 1);
  }
  below += up ? 1 : 0;
  return below < kPowersOfTen[type.precision] ? std::optional<int64_t>(below) : std::nullopt;
}

/// As BigDecimal prints what Double.toString does.
std::string PlainDigits(double value) {
  std::array<char, 400> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
  std::string text(digits.data(), end.ptr);
  if (std::abs(value) < 1e7 && text.find('.') == std::string::npos) text += ".0";
  return text;
}

class DoubleToDecimal : public NullIntolerant {
 public:
  DoubleToDecimal(FunctionCall call, bool raise)
      : NullIntolerant(call.spec.type, std::move(call.arguments), raise), raise_(raise) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    if (argument(0).type().is(TypeKind::kFloat)) {
      return VisitValues<float>(arguments[0],
                                [&](auto rows) { return Run(rows, nulls, row_count, pool); });
    }
    return VisitValues<double>(arguments[0],
                               [&](auto rows) { return Run(rows, nulls, row_count, pool); });
  }

 private:
  template <typename Values>
  Result<std::shared_ptr<arrow::Array>> Run(const Values& rows, const Nulls& nulls,
                                            int64_t row_count, arrow::MemoryPool* pool) const {
    std::vector<int32_t> infinite;
    for (int64_t row = 0; row < row_count; ++row) {
      if (nulls.IsValid(row) && !std::isfinite(static_cast<double>(rows[row]))) {
        infinite.push_back(static_cast<int32_t>(row));
      }
    }
    ARROW_ASSIGN_OR_RAISE(const Nulls missing, WithNullAt(nulls, infinite, row_count, pool));
    ARROW_ASSIGN_OR_RAISE(auto result, (CheckedRows<int64_t>(
                                           missing, row_count, raise_, pool,
                                           [&](int64_t row, int64_t* out) {
                                             const auto value = static_cast<double>(rows[row]);
                                             const auto magnitude = RoundedMagnitude(value, type());
                                             if (magnitude)
                                               *out = value < 0 ? -*magnitude : *magnitude;
                                             return magnitude.has_value();
                                           },
                                           [&](int64_t row) {
                                             return NumericValueOutOfRange(
                                                 PlainDigits(static_cast<double>(rows[row])),
                                                 type().precision, type().scale);
                                           })));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }

  const bool raise_;
};

}  // namespace

MadeExpression MakeCastDoubleToDecimal(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(const bool ansi, BooleanAttribute(call.spec, "ansi"));
  return std::make_unique<DoubleToDecimal>(std::move(call), ansi);
}

}  // namespace reprise
