// The errors that Spark 4.1.3 raises, with the parameters that it gives them; all seen in Spark.
#include "expressions/spark_errors.h"

#include "base/error_context.h"
#include "expressions/expression_testing.h"

namespace reprise {
namespace {

constexpr auto kLongMin = std::numeric_limits<int64_t>::min();

ExpressionSpec Binary(const char* function, const char* type, const char* argument,
                      const json& mode = kAnsi) {
  return Call(function, type, {Col(0, argument), Col(1, argument)}, mode);
}

TEST(SparkErrors, IntegerOverflow) {
  EXPECT_EQ(ErrorOf(Binary("subtract", "byte", "byte"), {Bytes({-128}), Bytes({1})}),
            "BINARY_ARITHMETIC_OVERFLOW value1=-128S symbol=- value2=1S "
            "functionName=`try_subtract`");
  EXPECT_EQ(ErrorOf(Binary("multiply", "integer", "integer"), {Ints({2147483647}), Ints({2})}),
            "ARITHMETIC_OVERFLOW message=integer overflow alternative= Use 'try_multiply' to "
            "tolerate overflow and return NULL instead.");
  EXPECT_EQ(ErrorOf(Binary("add", "long", "long"), {Longs({kLongMin}), Longs({-1})}),
            "ARITHMETIC_OVERFLOW message=long overflow alternative= Use 'try_add' to tolerate "
            "overflow and return NULL instead.");
  EXPECT_EQ(ErrorOf(Call("abs", "byte", {Col(0, "byte")}, kAnsi), {Bytes({-128})}),
            "ARITHMETIC_OVERFLOW message=byte overflow alternative=");
  EXPECT_EQ(ErrorOf(Binary("integral_divide", "long", "long"), {Longs({kLongMin}), Longs({-1})}),
            "ARITHMETIC_OVERFLOW message=Overflow in integral divide alternative= Use "
            "'try_divide' to tolerate overflow and return NULL instead.");
  ExpectValues(Binary("integral_divide", "long", "long", kLegacy),
               {Longs({kLongMin, 7, 7}), Longs({-1, -2, 0})}, Longs({kLongMin, -3, {}}));
}

TEST(SparkErrors, NullsOverflowNothing) {
  ExpectValues(Binary("add", "long", "long"), {Longs({{}, 1}), Longs({1, {}})}, Longs({{}, {}}));
  const auto sliced = std::make_shared<arrow::Int64Array>(
      2, arrow::Buffer::FromVector(std::vector<int64_t>{kLongMin, 5}),
      arrow::Buffer::FromVector(std::vector<uint8_t>{2}), 1);
  ExpectValues(Call("negate", "long", {Col(0, "long")}, kAnsi), {sliced}, Longs({{}, -5}));
  ExpectValues(Call("subtract", "long", {Col(0, "long"), Lit(1, "long")}, kAnsi), {sliced},
               Longs({{}, 4}));
}

TEST(SparkErrors, DecimalOverflow) {
  const std::string big(38, '9');
  EXPECT_EQ(ErrorOf(Binary("multiply", "decimal(38,0)", "decimal(38,0)"),
                    {Decimals(38, 0, {big}), Decimals(38, 0, {"10"})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION "
            "value=999999999999999999999999999999999999990 precision=38 scale=0");
  EXPECT_EQ(ErrorOf(Binary("add", "decimal(38,0)", "decimal(38,0)"),
                    {Decimals(38, 0, {big}), Decimals(38, 0, {"1"})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION "
            "value=100000000000000000000000000000000000000 precision=38 scale=0");
  // Decimal's MathContext keeps 39 digits.
  EXPECT_EQ(ErrorOf(Call("multiply", "decimal(38,6)",
                         {Col(0, "decimal(38,2)"), Col(1, "decimal(38,4)")}, kAnsi),
                    {Decimals(38, 2, {"999999999999999999999999999999999999"}),
                     Decimals(38, 4, {"999999999991234"})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION "
            "value=999999999991233999999999999999999999000000000 precision=38 scale=6");
  EXPECT_EQ(ErrorOf(Call("divide", "decimal(38,6)",
                         {Col(0, "decimal(38,0)"), Col(1, "decimal(38,4)")}, kAnsi),
                    {Decimals(38, 0, {big}), Decimals(38, 4, {"1"})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION "
            "value=999999999999999999999999999999999999990000." +
                std::string(39, '0') + " precision=38 scale=6");
  EXPECT_EQ(ErrorOf(Call("make_decimal", "decimal(18,0)", {Col(0, "long")},
                         {{"null_on_overflow", false}}),
                    {Longs({1000000000000000000})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION value=0 precision=18 scale=0");
}

TEST(SparkErrors, Casts) {
  const auto cast = [](const char* from, const char* to) {
    return Call("cast", to, {Col(0, from)}, kAnsi);
  };
  EXPECT_EQ(ErrorOf(cast("long", "byte"), {Longs({-129})}),
            "CAST_OVERFLOW value=-129L sourceType=\"BIGINT\" targetType=\"TINYINT\"");
  EXPECT_EQ(ErrorOf(cast("double", "integer"), {Doubles({2147483648.0})}),
            "CAST_OVERFLOW value=2.147483648E9D sourceType=\"DOUBLE\" targetType=\"INT\"");
  EXPECT_EQ(ErrorOf(cast("double", "long"), {Doubles({kInfinity})}),
            "CAST_OVERFLOW value=Infinity sourceType=\"DOUBLE\" targetType=\"BIGINT\"");
  EXPECT_EQ(ErrorOf(cast("float", "byte"),
                    {Build(arrow::FloatBuilder(), std::vector<std::optional<float>>{300.7f})}),
            "CAST_OVERFLOW value=300.7 sourceType=\"FLOAT\" targetType=\"TINYINT\"");
  EXPECT_EQ(ErrorOf(cast("decimal(10,2)", "byte"), {Decimals(10, 2, {"12850"})}),
            "CAST_OVERFLOW value=128.50BD sourceType=\"DECIMAL(10,2)\" targetType=\"TINYINT\"");
  EXPECT_EQ(ErrorOf(cast("integer", "decimal(3,1)"), {Ints({{}, 100})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION value=100 precision=3 scale=1");
  EXPECT_EQ(ErrorOf(cast("decimal(10,2)", "decimal(3,1)"), {Decimals(10, 2, {"9995"})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION value=99.95 precision=3 scale=1");
  EXPECT_EQ(ErrorOf(cast("string", "integer"), {Strings({"it's \\ x"})}),
            "CAST_INVALID_INPUT expression='it\\'s \\\\ x' sourceType=\"STRING\" "
            "targetType=\"INT\"");
}

// 2^63 as a double is not below Long.MaxValue as a double, and saturates (seen in Spark).
TEST(SparkErrors, TheLeastDoubleBeyondLongIsNoError) {
  ExpectValues(Call("cast", "long", {Col(0, "double")}, kAnsi),
               {Doubles({9223372036854775808.0, -9223372036854775808.0})},
               Longs({std::numeric_limits<int64_t>::max(), kLongMin}));
}

TEST(SparkErrors, TheQuotientOfDecimalsHas39Digits) {
  const auto call = [](const char* function, const char* type) {
    return Call(function, type, {Col(0, "decimal(38,0)"), Col(1, "decimal(38,37)")}, kLegacy);
  };
  const auto three = Decimals(38, 37, {"3"});
  const std::string impossible = "java.lang.ArithmeticException message=Division impossible";
  ExpectValues(call("remainder", "decimal(38,37)"), {Decimals(38, 0, {"70"}), three},
               Decimals(38, 37, {"1"}));
  ExpectValues(call("remainder", "decimal(38,37)"), {Decimals(38, 0, {"3000"}), three},
               Decimals(38, 37, {"0"}));
  EXPECT_EQ(ErrorOf(call("remainder", "decimal(38,37)"), {Decimals(38, 0, {"700"}), three}),
            impossible);
  ExpectValues(call("integral_divide", "long"), {Decimals(38, 0, {"7"}), three},
               Longs({-5988521462576360107}));
  EXPECT_EQ(ErrorOf(call("integral_divide", "long"), {Decimals(38, 0, {"700"}), three}),
            impossible);
}

// The key of the place that the error shows, or "none" where no expression has said one.
std::string PlaceOf(const ExpressionSpec& spec,
                    const std::vector<std::shared_ptr<arrow::Array>>& columns) {
  const auto actual = Evaluate(spec, columns);
  EXPECT_FALSE(actual.ok());
  const std::string context = ContextOf(actual.status());
  return context.empty() ? "none" : context;
}

TEST(SparkErrors, ThePlaceIsThatOfTheExpressionThatFails) {
  const auto divide = [](ExpressionSpec left, ExpressionSpec right, const char* context) {
    json attributes = kAnsi;
    if (*context != '\0') attributes["context"] = context;
    return Call("integral_divide", "long", {std::move(left), std::move(right)}, attributes);
  };
  const auto a = Col(0, "long");
  const auto zero = Col(1, "long");
  const std::vector<std::shared_ptr<arrow::Array>> columns = {Longs({1}), Longs({0})};
  EXPECT_EQ(PlaceOf(divide(a, zero, "outer"), columns), "outer");
  EXPECT_EQ(PlaceOf(divide(a, divide(a, zero, "inner"), "outer"), columns), "inner");
  // An expression that Spark has made itself stands nowhere, whatever stands around it.
  EXPECT_EQ(PlaceOf(divide(a, divide(a, zero, ""), "outer"), columns), "none");
  // Some errors show no place.
  json cast = kAnsi;
  cast["context"] = "outer";
  EXPECT_EQ(PlaceOf(Call("cast", "byte", {a}, cast), {Longs({300})}), "none");
}

}  // namespace
}  // namespace reprise
