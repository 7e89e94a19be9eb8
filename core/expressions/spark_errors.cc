#include "expressions/spark_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error_context.h"
#include "expressions/java_errors.h"

namespace reprise {

namespace {

constexpr char kAnsiConfig[] = "\"spark.sql.ansi.enabled\"";

// A type as QueryErrorsBase.toSQLType writes it: "DECIMAL(10,2)", with the quotes.
std::string QuotedSqlType(const DataType& type) {
  std::string text = type.ToString();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return '"' + text + '"';
}

// A string literal in SQL: Literal.sql.
std::string Quoted(std::string_view value) {
  std::string text = "'";
  for (char c : value) {
    if (c == '\\' || c == '\'') text += '\\';
    text += c;
  }
  return text + "'";
}

}  // namespace

Status ArithmeticOverflow(std::string_view message, std::string_view try_function) {
  std::string alternative;
  if (!try_function.empty()) {
    alternative =
        fmt::format(" Use '{}' to tolerate overflow and return NULL instead.", try_function);
  }
  return SparkErrorInContext(
      "ARITHMETIC_OVERFLOW",
      {{"message", std::string(message)}, {"alternative", alternative}, {"config", kAnsiConfig}},
      fmt::format("ARITHMETIC_OVERFLOW: {}", message));
}

Status BinaryArithmeticOverflow(int left, std::string_view symbol, int right,
                                std::string_view try_function) {
  return SparkError("BINARY_ARITHMETIC_OVERFLOW",
                    {{"value1", fmt::format("{}S", left)},
                     {"symbol", std::string(symbol)},
                     {"value2", fmt::format("{}S", right)},
                     {"functionName", fmt::format("`{}`", try_function)}},
                    fmt::format("BINARY_ARITHMETIC_OVERFLOW: {} {} {}", left, symbol, right));
}

namespace {

Status IndexError(const char* condition, int32_t index, int64_t count) {
  return SparkErrorInContext(condition,
                             {{"indexValue", fmt::format("{}", index)},
                              {"arraySize", fmt::format("{}", count)},
                              {"ansiConfig", kAnsiConfig}},
                             fmt::format("{}: {} of {}", condition, index, count));
}

}  // namespace

Status InvalidArrayIndex(int32_t index, int64_t count) {
  return IndexError("INVALID_ARRAY_INDEX", index, count);
}

Status InvalidIndexInElementAt(int32_t index, int64_t count) {
  return IndexError("INVALID_ARRAY_INDEX_IN_ELEMENT_AT", index, count);
}

Status InvalidIndexOfZero() {
  return SparkErrorInContext("INVALID_INDEX_OF_ZERO", {}, "INVALID_INDEX_OF_ZERO");
}

Status DivideByZero() {
  return SparkErrorInContext("DIVIDE_BY_ZERO", {{"config", kAnsiConfig}}, "DIVIDE_BY_ZERO");
}

Status RemainderByZero() {
  return SparkErrorInContext("REMAINDER_BY_ZERO", {{"config", kAnsiConfig}}, "REMAINDER_BY_ZERO");
}

Status NumericValueOutOfRange(std::string_view value, int precision, int scale) {
  return SparkErrorInContext(
      "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION",
      {{"value", std::string(value)},
       {"precision", std::to_string(precision)},
       {"scale", std::to_string(scale)},
       {"config", kAnsiConfig}},
      fmt::format("NUMERIC_VALUE_OUT_OF_RANGE: {} does not fit decimal({},{})", value, precision,
                  scale));
}

Status RoundedValueOutOfRange(std::string_view rounded, std::string_view original, int precision,
                              int scale) {
  return SparkError("NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION",
                    {{"roundedValue", std::string(rounded)},
                     {"originalValue", std::string(original)},
                     {"precision", std::to_string(precision)},
                     {"scale", std::to_string(scale)}},
                    fmt::format("NUMERIC_VALUE_OUT_OF_RANGE: {} rounded from {} does not fit "
                                "decimal({},{})",
                                rounded, original, precision, scale));
}

Status CastOverflow(std::string_view value, const DataType& from, const DataType& to) {
  return SparkError("CAST_OVERFLOW",
                    {{"value", std::string(value)},
                     {"sourceType", QuotedSqlType(from)},
                     {"targetType", QuotedSqlType(to)},
                     {"ansiConfig", kAnsiConfig}},
                    fmt::format("CAST_OVERFLOW: {} of type {} does not fit {}", value,
                                from.ToString(), to.ToString()));
}

Status CastInvalidInput(std::string_view value, const DataType& to) {
  return SparkErrorInContext(
      "CAST_INVALID_INPUT",
      {{"expression", Quoted(value)},
       {"sourceType", "\"STRING\""},
       {"targetType", QuotedSqlType(to)},
       {"ansiConfig", kAnsiConfig}},
      fmt::format("CAST_INVALID_INPUT: {} is no {}", Quoted(value), to.ToString()));
}

Status JavaArithmetic(std::string_view message, std::string_view explanation) {
  return SparkError("java.lang.ArithmeticException", {{"message", std::string(message)}},
                    fmt::format("{}: {}", message, explanation));
}

Status DivisionImpossible() {
  return JavaArithmetic("Division impossible",
                        "the integral quotient of two decimals has more than 39 digits");
}

Status LongOverflow() {
  return JavaArithmetic("long overflow", "a timestamp is outside of the range of microseconds");
}

}  // namespace reprise
