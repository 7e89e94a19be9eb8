#include <gtest/gtest.h>

#include "expressions/expression_testing.h"

namespace reprise {
namespace {

TEST(RoundingTest, DoublesToLongs) {
  const auto values = Doubles({1.5, -1.5, -0.0, 1e300, -1e300, kNaN, std::nullopt});
  ExpectValues(Call("ceil", "long", {Col(0, "double")}), {values},
               Longs({2, -1, 0, INT64_MAX, INT64_MIN, 0, std::nullopt}));
  ExpectValues(Call("floor", "long", {Col(0, "double")}), {values},
               Longs({1, -2, 0, INT64_MAX, INT64_MIN, 0, std::nullopt}));
  ExpectValues(Call("floor", "long", {Col(0, "long")}), {Longs({-7})}, Longs({-7}));
}

TEST(RoundingTest, Decimals) {
  const auto values = Decimals(5, 2, {"150", "-150", "250", "-250", "149", std::nullopt, "99999"});
  const auto rounded = [&](const char* function, const char* type, int scale,
                           const std::shared_ptr<arrow::Array>& expected) {
    SCOPED_TRACE(function);
    ExpectValues(Call(function, type, {Col(0, "decimal(5,2)")}, {{"scale", scale}}), {values},
                 expected);
  };
  rounded("round", "decimal(4,0)", 0,
          Decimals(4, 0, {"2", "-2", "3", "-3", "1", std::nullopt, "1000"}));
  rounded("bround", "decimal(4,0)", 0,
          Decimals(4, 0, {"2", "-2", "2", "-2", "1", std::nullopt, "1000"}));
  rounded("ceil", "decimal(4,0)", 0,
          Decimals(4, 0, {"2", "-1", "3", "-2", "2", std::nullopt, "1000"}));
  rounded("floor", "decimal(4,0)", 0,
          Decimals(4, 0, {"1", "-2", "2", "-3", "1", std::nullopt, "999"}));
  rounded("round", "decimal(5,1)", 1,
          Decimals(5, 1, {"15", "-15", "25", "-25", "15", std::nullopt, "10000"}));
  rounded("round", "decimal(4,0)", -2,
          Decimals(4, 0, {"0", "0", "0", "0", "0", std::nullopt, "1000"}));
  rounded("round", "decimal(6,2)", 7,
          Decimals(6, 2, {"150", "-150", "250", "-250", "149", std::nullopt, "99999"}));
  EXPECT_EQ(ErrorOf(Call("round", "decimal(3,0)", {Col(0, "decimal(5,2)")}), {values}),
            "round(decimal(5,2)) to 0 digits as decimal(3,0)");
  ExpectValues(Call("ceil", "decimal(38,0)", {Col(0, "decimal(38,1)")}),
               {Decimals(38, 1, {"99999999999999999999999999999999999991", "-5"})},
               Decimals(38, 0, {"10000000000000000000000000000000000000", "0"}));
}

TEST(BitsTest, OperationsAndShifts) {
  const auto left = Ints({6, -1, std::nullopt});
  const auto of = [](const char* function, json right) {
    return Call(function, "integer", {Col(0, "integer"), Lit(std::move(right), "integer")});
  };
  ExpectValues(of("bit_and", 3), {left}, Ints({2, 3, std::nullopt}));
  ExpectValues(of("bit_or", 8), {left}, Ints({14, -1, std::nullopt}));
  ExpectValues(of("bit_xor", 3), {left}, Ints({5, -4, std::nullopt}));
  ExpectValues(Call("bit_not", "byte", {Col(0, "byte")}), {Bytes({0, -128})}, Bytes({-1, 127}));
  ExpectValues(of("shift_left", 33), {left}, Ints({12, -2, std::nullopt}));
  ExpectValues(of("shift_right", 1), {left}, Ints({3, -1, std::nullopt}));
  ExpectValues(of("shift_right_unsigned", -1), {left}, Ints({0, 1, std::nullopt}));
  ExpectValues(Call("shift_left", "long", {Col(0, "long"), Lit(63, "integer")}), {Longs({1})},
               Longs({INT64_MIN}));
}

TEST(PmodTest, IsNotNegativeForPositiveDivisors) {
  const auto pmod = [](const char* type, const json& ansi) {
    return Call("pmod", type, {Col(0, type), Col(1, type)}, ansi);
  };
  ExpectValues(
      pmod("integer", kLegacy),
      {Ints({-7, 7, -7, INT32_MIN + 1, INT32_MIN, 5}), Ints({3, -3, -3, INT32_MIN, -1, 0})},
      Ints({2, 1, -1, 1, 0, std::nullopt}));
  ExpectValues(pmod("byte", kLegacy), {Bytes({-100, -128}), Bytes({-128, 127})},
               Bytes({-100, 126}));
  ExpectValues(pmod("double", kLegacy), {Doubles({-5.5, kNaN, 1}), Doubles({2, 2, -0.0})},
               Doubles({0.5, kNaN, std::nullopt}));
  EXPECT_EQ(ConditionOf(pmod("integer", kAnsi), {Ints({1}), Ints({0})}), "REMAINDER_BY_ZERO");
}

TEST(ExtremesTest, LeaveNullsOutAndKeepTheFirstOfEquals) {
  const std::vector<std::shared_ptr<arrow::Array>> columns = {
      Doubles({1, std::nullopt, -0.0, kNaN, std::nullopt}),
      Doubles({2, 3, 0.0, kInfinity, std::nullopt})};
  const std::vector<ExpressionSpec> both = {Col(0, "double"), Col(1, "double")};
  ExpectValues(Call("greatest", "double", both), columns,
               Doubles({2, 3, -0.0, kNaN, std::nullopt}));
  ExpectValues(Call("least", "double", both), columns,
               Doubles({1, 3, -0.0, kInfinity, std::nullopt}));
  ExpectValues(
      Call("greatest", "string", {Col(0, "string"), Lit("b", "string"), Lit(nullptr, "string")}),
      {DictionaryOf({"a", "ä"}, {0, std::nullopt, 1})}, Strings({"b", "b", "ä"}));
  ExpectValues(Call("least", "boolean", {Col(0, "boolean"), Lit(true, "boolean")}),
               {Booleans({false, std::nullopt, true})}, Booleans({false, true, true}));
  ExpectValues(Call("least", "decimal(20,0)", {Col(0, "decimal(20,0)"), Lit("5", "decimal(20,0)")}),
               {Decimals(20, 0, {"7", "-7", std::nullopt})}, Decimals(20, 0, {"5", "-7", "5"}));
}

TEST(DoubleFunctionsTest, SquareRootAndSignum) {
  const auto values = Doubles({2, -1, -0.0, kInfinity, kNaN, std::nullopt});
  ExpectValues(Call("square_root", "double", {Col(0, "double")}), {values},
               Doubles({std::sqrt(2.0), kNaN, -0.0, kInfinity, kNaN, std::nullopt}));
  ExpectValues(Call("signum", "double", {Col(0, "double")}), {values},
               Doubles({1, -1, -0.0, 1, kNaN, std::nullopt}));
}

}  // namespace
}  // namespace reprise
