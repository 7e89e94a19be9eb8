#include "operators/aggregate_errors.h"

#include <fmt/format.h>

namespace reprise {

namespace {

constexpr char kAnsiKey[] = "\"spark.sql.ansi.enabled\"";

Status ArithmeticOverflow(const std::string& what, std::string_view suggestion) {
  const std::string alternative =
      fmt::format(" Use '{}' to tolerate overflow and return NULL instead.", suggestion);
  return SparkError("ARITHMETIC_OVERFLOW",
                    {{"message", what}, {"alternative", alternative}, {"config", kAnsiKey}},
                    fmt::format("{}.{} If necessary set {} to \"false\" to bypass this error.",
                                what, alternative, kAnsiKey));
}

}  // namespace

Status LongOverflowInSum() { return ArithmeticOverflow("long overflow", "try_add"); }

Status OverflowInSumOfDecimals(std::string_view suggestion) {
  return ArithmeticOverflow("Overflow in sum of decimals", suggestion);
}

Status DecimalOutOfRange(std::string_view value, const DataType& type) {
  const std::string precision = std::to_string(type.precision);
  const std::string scale = std::to_string(type.scale);
  return SparkError(
      "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION",
      {{"value", std::string(value)},
       {"precision", precision},
       {"scale", scale},
       {"config", kAnsiKey}},
      fmt::format(
          "{} cannot be represented as Decimal({}, {}). If necessary set {} to \"false\" to "
          "bypass this error, and return NULL instead.",
          value, precision, scale, kAnsiKey));
}

}  // namespace reprise
