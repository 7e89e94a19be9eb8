// Long because the makers of columns and specifications at its top serve every test below.
#include "expressions/expression.h"

#include <gtest/gtest.h>

#include "expressions/expression_testing.h"

namespace reprise {
namespace {

TEST(Comparison, NumbersAndNulls) {
  const auto a = Longs({1, 2, {}, 4});
  const auto b = Longs({2, 2, 3, {}});
  ExpectValues(Call("less", "boolean", {Col(0, "long"), Col(1, "long")}), {a, b},
               Booleans({true, false, {}, {}}));
  ExpectValues(Call("equal_null_safe", "boolean", {Col(0, "long"), Col(1, "long")}),
               {Longs({1, {}, {}}), Longs({1, {}, 3})}, Booleans({true, true, false}));
  ExpectValues(Call("greater_or_equal", "boolean", {Col(0, "long"), Lit(2, "long")}), {a},
               Booleans({false, true, {}, true}));
}

TEST(Comparison, NanIsEqualToItselfAndGreatest) {
  const auto a = Doubles({kNaN, kNaN, kInfinity, -0.0, 1.0});
  const auto b = Doubles({kNaN, kInfinity, kNaN, 0.0, kNaN});
  ExpectValues(Call("equal", "boolean", {Col(0, "double"), Col(1, "double")}), {a, b},
               Booleans({true, false, false, true, false}));
  ExpectValues(Call("less", "boolean", {Col(0, "double"), Col(1, "double")}), {a, b},
               Booleans({false, false, true, false, true}));
  ExpectValues(Call("greater", "boolean", {Col(0, "double"), Lit(1.0, "double")}), {a},
               Booleans({true, true, true, false, false}));
}

TEST(Comparison, StringsByUnsignedBytesAlsoEncoded) {
  const auto words = Strings({"a", "b", {}, "é", ""});
  ExpectValues(Call("greater", "boolean", {Col(0, "string"), Lit("a", "string")}), {words},
               Booleans({false, true, {}, true, false}));
  const auto encoded =
      *arrow::DictionaryArray::FromArrays(Ints({0, 1, {}, 1}), Strings({"AIR", "RAIL"}));
  ExpectValues(Call("equal", "boolean", {Col(0, "string"), Lit("RAIL", "string")}), {encoded},
               Booleans({false, true, {}, true}));
  ExpectValues(Call("in", "boolean", {Col(0, "string"), Lit("AIR", "string"), Lit("x", "string")}),
               {encoded}, Booleans({true, false, {}, false}));
}

TEST(Comparison, DecimalsOfBothWidths) {
  ExpectValues(
      Call("less_or_equal", "boolean", {Col(0, "decimal(15,2)"), Lit("7", "decimal(15,2)")}),
      {Decimals(15, 2, {"5", "7", "8", {}})}, Booleans({true, true, false, {}}));
  const std::string big = "99999999999999999999999999999999999999";
  ExpectValues(Call("less", "boolean", {Col(0, "decimal(38,0)"), Lit(big, "decimal(38,0)")}),
               {Decimals(38, 0, {big, "-" + big, "0"})}, Booleans({false, true, true}));
}

TEST(In, NullsMakeUnknown) {
  ExpectValues(
      Call("in", "boolean", {Col(0, "integer"), Lit(1, "integer"), Lit(nullptr, "integer")}),
      {Ints({1, 2, {}})}, Booleans({true, {}, {}}));
  ExpectValues(Call("in", "boolean", {Col(0, "double"), Lit("NaN", "double"), Lit(0.0, "double")}),
               {Doubles({kNaN, -0.0, 5.0})}, Booleans({true, true, false}));
}

TEST(Logic, ThreeValues) {
  const auto a = Booleans({true, true, true, false, false, false, {}, {}, {}});
  const auto b = Booleans({true, false, {}, true, false, {}, true, false, {}});
  ExpectValues(Call("and", "boolean", {Col(0, "boolean"), Col(1, "boolean")}), {a, b},
               Booleans({true, false, {}, false, false, false, {}, false, {}}));
  ExpectValues(Call("or", "boolean", {Col(0, "boolean"), Col(1, "boolean")}), {a, b},
               Booleans({true, true, true, true, false, {}, true, {}, {}}));
  ExpectValues(Call("not", "boolean", {Col(0, "boolean")}), {Booleans({true, false, {}})},
               Booleans({false, true, {}}));
  ExpectValues(Call("is_null", "boolean", {Col(0, "long")}), {Longs({1, {}})},
               Booleans({false, true}));
}

TEST(Logic, TheOtherSideIsNotEvaluatedWhereSparkWouldNot) {
  const auto fails = Call(
      "greater", "boolean",
      {Call("divide", "double", {Col(1, "double"), Col(2, "double")}, kAnsi), Lit(1.0, "double")});
  const std::vector<std::shared_ptr<arrow::Array>> columns = {
      Booleans({false, true}), Doubles({1.0, 6.0}), Doubles({0.0, 2.0})};
  ExpectValues(Call("and", "boolean", {Col(0, "boolean"), fails}), columns,
               Booleans({false, true}));
  EXPECT_EQ(ConditionOf(Call("or", "boolean", {Col(0, "boolean"), fails}), columns),
            "DIVIDE_BY_ZERO");
  ExpectValues(Call("if", "double", {Col(0, "boolean"), fails.arguments[0], Lit(-1.0, "double")}),
               columns, Doubles({-1.0, 3.0}));
  ExpectValues(Call("coalesce", "double", {Col(1, "double"), fails.arguments[0]}), columns,
               Doubles({1.0, 6.0}));
}

TEST(Conditional, CaseWhen) {
  const auto value =
      Call("case_when", "string",
           {Call("less", "boolean", {Col(0, "long"), Lit(2, "long")}), Lit("low", "string"),
            Call("equal", "boolean", {Col(0, "long"), Lit(2, "long")}), Col(1, "string")});
  ExpectValues(value, {Longs({1, 2, 3, {}}), Strings({"a", "b", "c", "d"})},
               Strings({"low", "b", {}, {}}));
}

TEST(Arithmetic, IntegersWrapOrFail) {
  const auto most = std::numeric_limits<int64_t>::max();
  const auto sum = [&](const json& mode) {
    return Call("add", "long", {Col(0, "long"), Lit(1, "long")}, mode);
  };
  ExpectValues(sum(kLegacy), {Longs({most, 1, {}})},
               Longs({std::numeric_limits<int64_t>::min(), 2, {}}));
  EXPECT_EQ(ConditionOf(sum(kAnsi), {Longs({1, most})}), "ARITHMETIC_OVERFLOW");
  EXPECT_EQ(
      ConditionOf(Call("add", "byte", {Col(0, "byte"), Lit(1, "byte")}, kAnsi), {Bytes({127})}),
      "BINARY_ARITHMETIC_OVERFLOW");
  EXPECT_EQ(ConditionOf(Call("negate", "integer", {Col(0, "integer")}, kAnsi),
                        {Ints({std::numeric_limits<int32_t>::min()})}),
            "ARITHMETIC_OVERFLOW");
}

TEST(Arithmetic, DivisionByZero) {
  const auto quotient = [&](const json& mode) {
    return Call("divide", "double", {Col(0, "double"), Col(1, "double")}, mode);
  };
  ExpectValues(quotient(kLegacy), {Doubles({1.0, 6.0, {}}), Doubles({0.0, 4.0, 0.0})},
               Doubles({{}, 1.5, {}}));
  EXPECT_EQ(ConditionOf(quotient(kAnsi), {Doubles({1.0}), Doubles({-0.0})}), "DIVIDE_BY_ZERO");
  EXPECT_EQ(ConditionOf(Call("remainder", "long", {Col(0, "long"), Col(1, "long")}, kAnsi),
                        {Longs({1}), Longs({0})}),
            "REMAINDER_BY_ZERO");
  ExpectValues(Call("remainder", "long", {Col(0, "long"), Col(1, "long")}, kAnsi),
               {Longs({-7, std::numeric_limits<int64_t>::min()}), Longs({3, -1})}, Longs({-1, 0}));
}

// l_extendedprice * (1 - l_discount) * (1 + l_tax), with the types that Spark gives them.
TEST(Decimals, TheMoneyOfTpchQ1) {
  const auto one = Lit("1", "decimal(1,0)");
  const auto discounted =
      Call("multiply", "decimal(32,4)",
           {Col(0, "decimal(15,2)"),
            Call("subtract", "decimal(16,2)", {one, Col(1, "decimal(15,2)")}, kAnsi)},
           kAnsi);
  const auto charge = Call(
      "multiply", "decimal(38,6)",
      {discounted, Call("add", "decimal(16,2)", {one, Col(2, "decimal(15,2)")}, kAnsi)}, kAnsi);
  const std::vector<std::shared_ptr<arrow::Array>> columns = {
      Decimals(15, 2, {"2116823", {}, "-999999999999999"}), Decimals(15, 2, {"4", "1", "10"}),
      Decimals(15, 2, {"2", "1", "8"})};
  ExpectValues(discounted, columns, Decimals(32, 4, {"203215008", {}, "-89999999999999910"}));
  ExpectValues(charge, columns, Decimals(38, 6, {"20727930816", {}, "-9719999999999990280"}));
}

TEST(Decimals, OverflowIsNullOrAnError) {
  const std::string big = "99999999999999999999999999999999999999";
  const auto product = [&](const json& mode) {
    return Call("multiply", "decimal(38,0)", {Col(0, "decimal(38,0)"), Col(1, "decimal(38,0)")},
                mode);
  };
  ExpectValues(product(kLegacy), {Decimals(38, 0, {big, "3"}), Decimals(38, 0, {"10", "-4"})},
               Decimals(38, 0, {{}, "-12"}));
  EXPECT_EQ(ConditionOf(product(kAnsi), {Decimals(38, 0, {big}), Decimals(38, 0, {"10"})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION");
}

TEST(Decimals, CappedScalesRoundHalfUp) {
  // decimal(38,7) + decimal(38,0) is decimal(38,6) in Spark.
  ExpectValues(
      Call("add", "decimal(38,6)", {Col(0, "decimal(38,7)"), Col(1, "decimal(38,0)")}, kAnsi),
      {Decimals(38, 7, {"10000005", "-10000005"}), Decimals(38, 0, {"2", "2"})},
      Decimals(38, 6, {"3000001", "1000000"}));
  ExpectValues(
      Call("divide", "decimal(23,13)", {Col(0, "decimal(10,2)"), Col(1, "decimal(10,2)")}, kAnsi),
      {Decimals(10, 2, {"200", "100"}), Decimals(10, 2, {"-300", "800"})},
      Decimals(23, 13, {"-6666666666667", "1250000000000"}));
}

TEST(Cast, BetweenNumbers) {
  const auto cast = [&](const char* from, const char* to, const json& mode) {
    return Call("cast", to, {Col(0, from)}, mode);
  };
  ExpectValues(cast("double", "integer", kLegacy), {Doubles({kNaN, 2.9, -2.9, 3e9, {}})},
               Ints({0, 2, -2, std::numeric_limits<int32_t>::max(), {}}));
  EXPECT_EQ(ConditionOf(cast("double", "integer", kAnsi), {Doubles({kNaN})}), "CAST_OVERFLOW");
  ExpectValues(cast("double", "byte", kAnsi), {Doubles({127.9, -128.9})}, Bytes({127, -128}));
  EXPECT_EQ(ConditionOf(cast("double", "byte", kAnsi), {Doubles({128.0})}), "CAST_OVERFLOW");
  ExpectValues(cast("integer", "byte", kLegacy), {Ints({300, {}})}, Bytes({44, {}}));
  EXPECT_EQ(ConditionOf(cast("integer", "byte", kAnsi), {Ints({128})}), "CAST_OVERFLOW");
  ExpectValues(cast("double", "boolean", kAnsi), {Doubles({0.0, -0.0, kNaN, {}})},
               Booleans({false, false, true, {}}));
  ExpectValues(cast("boolean", "long", kAnsi), {Booleans({true, false, {}})}, Longs({1, 0, {}}));
  ExpectValues(cast("integer", "long", kAnsi), {Ints({-1, {}})->Slice(1)}, Longs({{}}));
}

TEST(Cast, Decimals) {
  const auto cast = [&](const char* from, const char* to, const json& mode) {
    return Call("cast", to, {Col(0, from)}, mode);
  };
  ExpectValues(cast("decimal(10,2)", "decimal(3,1)", kLegacy),
               {Decimals(10, 2, {"9995", "9994", "-115", {}})},
               Decimals(3, 1, {{}, "999", "-12", {}}));
  EXPECT_EQ(ConditionOf(cast("decimal(10,2)", "decimal(3,1)", kAnsi), {Decimals(10, 2, {"9995"})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION");
  ExpectValues(cast("long", "decimal(20,0)", kAnsi), {Longs({7, {}})}, Decimals(20, 0, {"7", {}}));
  ExpectValues(cast("boolean", "decimal(3,1)", kAnsi), {Booleans({true})}, Decimals(3, 1, {"10"}));
  ExpectValues(cast("decimal(38,2)", "long", kAnsi), {Decimals(38, 2, {"-199", "250"})},
               Longs({-1, 2}));
  EXPECT_EQ(ConditionOf(cast("decimal(38,2)", "long", kAnsi),
                        {Decimals(38, 2, {"9999999999999999999950"})}),
            "CAST_OVERFLOW");
  ExpectValues(cast("decimal(16,0)", "double", kAnsi), {Decimals(16, 0, {"9007199254740993"})},
               Doubles({9007199254740992.0}));
  ExpectValues(cast("decimal(1,1)", "double", kAnsi), {Decimals(1, 1, {"3", "-1", {}})},
               Doubles({0.3, -0.1, {}}));
}

TEST(Cast, ToString) {
  const auto cast = [&](const char* from, const json& mode) {
    return Call("cast", "string", {Col(0, from)}, mode);
  };
  ExpectValues(cast("decimal(10,7)", kAnsi), {Decimals(10, 7, {"1", "-1234567", {}})},
               Strings({"0.0000001", "-0.1234567", {}}));
  ExpectValues(cast("decimal(10,7)", kLegacy), {Decimals(10, 7, {"1", "-12", "10", "-1234567"})},
               Strings({"1E-7", "-0.0000012", "0.0000010", "-0.1234567"}));
  ExpectValues(cast("decimal(38,20)", kLegacy), {Decimals(38, 20, {"0"})}, Strings({"0E-20"}));
  ExpectValues(cast("date", kAnsi), {Dates({0, -719528, 2932897, -719529 - 365, {}})},
               Strings({"1970-01-01", "0000-01-01", "+10000-01-01", "-0002-12-31", {}}));
  ExpectValues(cast("boolean", kAnsi), {Booleans({true, false, {}})},
               Strings({"true", "false", {}}));
  ExpectValues(cast("long", kAnsi), {Longs({std::numeric_limits<int64_t>::min()})},
               Strings({"-9223372036854775808"}));
}

// Not where Spark hands on an object between operators (docs/internals/differences.md).
TEST(DecimalCasts, ColumnsCountAsReadFromRows) {
  const auto cast = [](ExpressionSpec operand) {
    return Call("cast", "integer", {std::move(operand)}, kAnsi);
  };
  // 25.9999999999999998, as a double 26.
  ExpectValues(cast(Col(0, "decimal(19,16)")), {Decimals(19, 16, {"259999999999999998"})},
               Ints({26}));
  const auto sum =
      Call("add", "decimal(19,16)", {Col(0, "decimal(18,16)"), Col(0, "decimal(18,16)")}, kAnsi);
  ExpectValues(cast(sum), {Decimals(18, 16, {"129999999999999999"})}, Ints({25}));
  // A sum of more than 18 digits is no long any more.
  const auto back = Call("subtract", "decimal(20,16)", {sum, Col(1, "decimal(18,16)")}, kAnsi);
  ExpectValues(cast(back),
               {Decimals(18, 16, {"529999999999999999", "129999999999999999"}),
                Decimals(18, 16, {"530000000000000000", "0"})},
               Ints({53, 25}));
}

TEST(DecimalCasts, OfDoublesAreHalfWayWhereTheirDigitsAre) {
  const auto cast = [](const char* type, const json& mode) {
    return Call("cast", type, {Col(0, "double")}, mode);
  };
  // 1.005 is less than that as a double, 0.145 more; 0.125 is exact.
  ExpectValues(cast("decimal(5,2)", kAnsi),
               {Doubles({1.005, 0.145, -0.125, 0.0, -0.0, 1.0049999999999, 999.994, {}})},
               Decimals(5, 2, {"101", "15", "-13", "0", "0", "100", "99999", {}}));
  ExpectValues(cast("decimal(14,13)", kAnsi), {Doubles({0.12345678901235, 9.9999999999999})},
               Decimals(14, 13, {"1234567890124", "99999999999999"}));
  // What is no number is null, whatever the mode.
  ExpectValues(cast("decimal(5,2)", kAnsi), {Doubles({kNaN, kInfinity, -kInfinity})},
               Decimals(5, 2, {{}, {}, {}}));
  ExpectValues(cast("decimal(5,2)", kLegacy), {Doubles({1000.0, -999.995, 1e300})},
               Decimals(5, 2, {{}, {}, {}}));
  EXPECT_EQ(ConditionOf(cast("decimal(5,2)", kAnsi), {Doubles({1e10})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION");
}

TEST(Decimals, UnscaledAndBack) {
  ExpectValues(Call("unscaled_value", "long", {Col(0, "decimal(8,2)")}),
               {Decimals(8, 2, {"150", {}})}, Longs({150, {}}));
  ExpectValues(
      Call("make_decimal", "decimal(18,2)", {Col(0, "long")}, {{"null_on_overflow", true}}),
      {Longs({150, 1000000000000000000, {}})}, Decimals(18, 2, {"150", {}, {}}));
  EXPECT_EQ(ConditionOf(Call("check_overflow", "decimal(3,1)", {Col(0, "decimal(20,1)")},
                             {{"null_on_overflow", false}}),
                        {Decimals(20, 1, {"1000"})}),
            "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION");
}

TEST(Floating, Normalized) {
  auto normalized = Evaluate(Call("normalize_nan_and_zero", "double", {Col(0, "double")}),
                             {Doubles({-0.0, -kNaN, 1.5, {}})});
  ASSERT_TRUE(normalized.ok());
  const auto& values = static_cast<const arrow::DoubleArray&>(**normalized);
  EXPECT_FALSE(std::signbit(values.Value(0)));
  EXPECT_FALSE(std::signbit(values.Value(1)));
  EXPECT_TRUE(std::isnan(values.Value(1)));
  EXPECT_EQ(values.Value(2), 1.5);
  EXPECT_TRUE(values.IsNull(3));
}

TEST(Selection, OnlySelectedRowsAreSeen) {
  Batch batch = BatchOf({Doubles({1.0, 6.0, 8.0}), Doubles({0.0, 2.0, 4.0})});
  batch.selection = arrow::Buffer::FromVector(std::vector<int32_t>{1, 2});
  auto quotient =
      Evaluate(Call("divide", "double", {Col(0, "double"), Col(1, "double")}, kAnsi), batch);
  ASSERT_TRUE(quotient.ok()) << quotient.status();
  EXPECT_TRUE((*quotient)->Equals(Doubles({3.0, 2.0})));
}

TEST(Predicate, ConjunctsNarrowOneAfterTheOther) {
  const auto safe =
      Call("not", "boolean", {Call("equal", "boolean", {Col(1, "double"), Lit(0.0, "double")})});
  const auto quotient = Call("divide", "double", {Col(0, "double"), Col(1, "double")}, kAnsi);
  const auto condition =
      Call("and", "boolean", {safe, Call("greater", "boolean", {quotient, Lit(2.0, "double")})});
  const Batch batch = BatchOf({Doubles({1.0, 6.0, 8.0, 9.0}), Doubles({0.0, 2.0, 4.0, {}})});
  EXPECT_EQ(SelectRows(condition, batch), (std::vector<int32_t>{1}));
  Batch selected = batch;
  selected.selection = arrow::Buffer::FromVector(std::vector<int32_t>{0, 2});
  EXPECT_EQ(
      SelectRows(Call("greater", "boolean", {Col(0, "double"), Lit(0.5, "double")}), selected),
      (std::vector<int32_t>{0, 2}));
}

TEST(Predicate, SlicesAndBooleanColumns) {
  const auto numbers = Longs({9, 1, {}, 3, 4})->Slice(1);
  EXPECT_EQ(
      SelectRows(Call("greater", "boolean", {Col(0, "long"), Lit(1, "long")}), BatchOf({numbers})),
      (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(SelectRows(Col(0, "boolean"), BatchOf({Booleans({true, {}, false, true})})),
            (std::vector<int32_t>{0, 3}));
}

TEST(MakeExpression, RefusesWhatItDoesNotTake) {
  const auto message = [](const ExpressionSpec& spec) {
    return MakeExpression(spec, {{"a", {TypeKind::kLong}, true}}).status().message();
  };
  EXPECT_EQ(message(Call("sqrt", "double", {})), "there is no function \"sqrt\"");
  EXPECT_EQ(message(Col(1, "long")), "column 1 of an input of 1 columns");
  EXPECT_EQ(message(Col(0, "string")),
            "column 0 (a) is bigint in the input, but string in the expression");
  EXPECT_EQ(message(Call("less", "boolean", {Col(0, "long")})), "less has 1 arguments; it takes 2");
  EXPECT_EQ(message(Call("less", "boolean", {Col(0, "long"), Lit("x", "string")})),
            "less(bigint, string) of type boolean is not supported");
  EXPECT_EQ(message(Call("cast", "double", {Lit("x", "string")}, kAnsi)),
            "cast(string) of type double is not supported");
  EXPECT_EQ(message(Call("add", "long", {Col(0, "long"), Col(0, "long")})),
            "add has no boolean attribute \"ansi\"");
}

}  // namespace
}  // namespace reprise
