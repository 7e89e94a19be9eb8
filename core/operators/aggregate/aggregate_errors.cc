#include "operators/aggregate/aggregate_errors.h"

#include <fmt/format.h>

#include "base/error_context.h"

namespace reprise {

namespace {

constexpr char kAnsiKey[] = "\"spark.sql.ansi.enabled\"";

Status ArithmeticOverflow(const std::string& what, std::string_view suggestion,
                          decltype(SparkErrorInContext)* error) {
  const std::string alternative =
      fmt::format(" Use '{}' to tolerate overflow and return NULL instead.", suggestion);
  return error("ARITHMETIC_OVERFLOW",
               {{"message", what}, {"alternative", alternative}, {"config", kAnsiKey}},
               fmt::format("{}.{} If necessary set {} to \"false\" to bypass this error.", what,
                           alternative, kAnsiKey));
}

}  // namespace

// The addition is an expression that Spark's Sum makes itself: it stands nowhere in the query.
Status LongOverflowInSum() { return ArithmeticOverflow("long overflow", "try_add", SparkError); }

Status OverflowInSumOfDecimals(std::string_view suggestion) {
  return ArithmeticOverflow("Overflow in sum of decimals", suggestion, SparkErrorInContext);
}

Status DecimalOutOfRange(std::string_view value, const DataType& type) {
  const std::string precision = std::to_string(type.precision);
  const std::string scale = std::to_string(type.scale);
  return SparkErrorInContext(
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
