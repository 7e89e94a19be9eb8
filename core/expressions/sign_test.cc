#include "expressions/expression_testing.h"

namespace reprise {
namespace {

// Spark negates decimals as Scala's BigDecimal, which rounds to 34 digits, half even.
TEST(Sign, DecimalsOfMoreThan34DigitsAreRounded) {
  const auto negate = Call("negate", "decimal(38,0)", {Col(0, "decimal(38,0)")}, kLegacy);
  ExpectValues(negate,
               {Decimals(38, 0,
                         {"12345678901234567890123456789012345",
                          "12345678901234567890123456789012335",
                          "1234567890123456789012345678901234",
                          {}})},
               Decimals(38, 0,
                        {"-12345678901234567890123456789012340",
                         "-12345678901234567890123456789012340",
                         "-1234567890123456789012345678901234",
                         {}}));
  const auto abs = Call("abs", "decimal(38,38)", {Col(0, "decimal(38,38)")}, kLegacy);
  ExpectValues(abs,
               {Decimals(38, 38,
                         {"12345678901234567890123456789012345675",
                          "-12345678901234567890123456789012345675"})},
               Decimals(38, 38,
                        {"12345678901234567890123456789012345675",
                         "12345678901234567890123456789012350000"}));
}

TEST(Sign, RoundingMayLeaveTooManyDigits) {
  const auto negate = [](const char* type) {
    return Call("negate", type, {Col(0, type)}, kLegacy);
  };
  EXPECT_EQ(ErrorOf(negate("decimal(35,1)"), {Decimals(35, 1, {std::string(35, '9')})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION "
            "roundedValue=-10000000000000000000000000000000000.0 "
            "originalValue=-1.000000000000000000000000000000000E+34 precision=35 scale=1");
  EXPECT_EQ(ErrorOf(Call("abs", "decimal(38,38)", {Col(0, "decimal(38,38)")}, kAnsi),
                    {Decimals(38, 38, {"-" + std::string(38, '9')})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION "
            "roundedValue=1.00000000000000000000000000000000000000 "
            "originalValue=1.000000000000000000000000000000000 precision=38 scale=38");
  ExpectValues(Call("abs", "decimal(38,38)", {Col(0, "decimal(38,38)")}, kAnsi),
               {Decimals(38, 38, {std::string(38, '9')})},
               Decimals(38, 38, {std::string(38, '9')}));
}

TEST(Sign, OfZeroAndInfinity) {
  auto negated = Evaluate(Call("negate", "double", {Col(0, "double")}, kAnsi), {Doubles({0.0})});
  ASSERT_TRUE(negated.ok());
  EXPECT_TRUE(std::signbit(static_cast<const arrow::DoubleArray&>(**negated).Value(0)));
  ExpectValues(Call("abs", "double", {Col(0, "double")}, kAnsi), {Doubles({-kInfinity, -2.5, {}})},
               Doubles({kInfinity, 2.5, {}}));
  ExpectValues(Call("abs", "byte", {Col(0, "byte")}, kLegacy), {Bytes({-128, -3})},
               Bytes({-128, 3}));
}

}  // namespace
}  // namespace reprise
