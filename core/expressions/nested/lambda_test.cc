// Functions that call lambdas for the elements of arrays.
#include "expressions/expression_testing.h"

namespace reprise {
namespace {

constexpr const char* kInts = R"({"type":"array","elementType":"integer","containsNull":true})";

ExpressionSpec Variable(int number) {
  return {"lambda_variable", DataType{TypeKind::kInteger}, true, {{"variable", number}}, {}};
}

ExpressionSpec Lambda(ExpressionSpec body, std::vector<ExpressionSpec> variables) {
  ExpressionSpec lambda{"lambda", body.type, true, json::object(), {std::move(body)}};
  for (ExpressionSpec& variable : variables) lambda.arguments.push_back(std::move(variable));
  return lambda;
}

/// [c0, c1] in each row.
ExpressionSpec Pair() { return Call("make_array", kInts, {Col(0, "integer"), Col(1, "integer")}); }

ExpressionSpec Int(int value) { return Lit(value, "integer"); }

ExpressionSpec Binary(const char* function, ExpressionSpec left, ExpressionSpec right,
                      const char* type = "integer") {
  return Call(function, type, {std::move(left), std::move(right)}, kAnsi);
}

ExpressionSpec Item(ExpressionSpec array, int place) {
  return Call("array_item", "integer", {std::move(array), Int(place)}, kLegacy);
}

/// x -> 10 div x > 0
ExpressionSpec DividesTen() {
  ExpressionSpec ten = Call("integral_divide", "long",
                            {Lit(10, "long"), Call("cast", "long", {Variable(0)}, kAnsi)}, kAnsi);
  return Lambda(Call("greater", "boolean", {std::move(ten), Lit(0, "long")}), {Variable(0)});
}

const std::vector<std::shared_ptr<arrow::Array>> kColumns = {Ints({1, 2, std::nullopt}),
                                                             Ints({10, 20, 30})};

TEST(LambdaTest, OfEachElementAndItsPlace) {
  const ExpressionSpec sum =
      Binary("add", Binary("add", Variable(0), Variable(1)), Col(1, "integer"));
  const ExpressionSpec transform =
      Call("transform", kInts, {Pair(), Lambda(sum, {Variable(0), Variable(1)})});
  ExpectValues(Item(transform, 0), kColumns, Ints({11, 22, std::nullopt}));
  ExpectValues(Item(transform, 1), kColumns, Ints({21, 41, 61}));
}

TEST(LambdaTest, KeepsElements) {
  const ExpressionSpec is_set = Call("is_not_null", "boolean", {Variable(0)});
  const ExpressionSpec filter = Call("filter", kInts, {Pair(), Lambda(is_set, {Variable(0)})});
  ExpectValues(Item(filter, 0), kColumns, Ints({1, 2, 30}));
  ExpectValues(Item(filter, 1), kColumns, Ints({10, 20, std::nullopt}));
}

TEST(LambdaTest, LambdasInLambdas) {
  // transform(pair, x1 -> aggregate(pair, x1, (x0, x2) -> x0 + x2, x0 -> x0))
  const ExpressionSpec fold =
      Call("aggregate", "integer",
           {Pair(), Variable(3),
            Lambda(Binary("add", Variable(0), Variable(1)), {Variable(0), Variable(1)}),
            Lambda(Variable(0), {Variable(0)})});
  const ExpressionSpec transform = Call("transform", kInts, {Pair(), Lambda(fold, {Variable(3)})});
  ExpectValues(Item(transform, 1), kColumns, Ints({21, 42, std::nullopt}));
}

TEST(LambdaTest, ElementsBehindTheOneThatDecidesAreNotLookedAt) {
  const std::vector<std::shared_ptr<arrow::Array>> columns = {Ints({1, 2}), Ints({0, 5})};
  ExpectValues(Call("exists", "boolean", {Pair(), DividesTen()}, {{"three_valued", true}}), columns,
               Booleans({true, true}));
  EXPECT_EQ(ConditionOf(Call("forall", "boolean", {Pair(), DividesTen()}), columns),
            "DIVIDE_BY_ZERO");
}

TEST(LambdaTest, NullsOfConditions) {
  const ExpressionSpec big =
      Lambda(Call("greater", "boolean", {Variable(0), Int(25)}), {Variable(0)});
  ExpectValues(Call("exists", "boolean", {Pair(), big}, {{"three_valued", true}}), kColumns,
               Booleans({false, false, true}));
  const ExpressionSpec huge =
      Lambda(Call("greater", "boolean", {Variable(0), Int(99)}), {Variable(0)});
  ExpectValues(Call("exists", "boolean", {Pair(), huge}, {{"three_valued", true}}), kColumns,
               Booleans({false, false, std::nullopt}));
  ExpectValues(Call("exists", "boolean", {Pair(), huge}, {{"three_valued", false}}), kColumns,
               Booleans({false, false, false}));
}

TEST(LambdaTest, TellsTheErrorOfTheFirstElement) {
  const ExpressionSpec body =
      Binary("add", Binary("add", Variable(0), Int(1)), Binary("remainder", Int(10), Variable(0)));
  const ExpressionSpec transform = Call("transform", kInts, {Pair(), Lambda(body, {Variable(0)})});
  const int most = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(ConditionOf(Item(transform, 0), {Ints({0}), Ints({most})}), "REMAINDER_BY_ZERO");
}

TEST(LambdaTest, SaysWhatIsWrongWithASpecification) {
  EXPECT_EQ(ConditionOf(Call("transform", kInts, {Pair(), Variable(0)}), kColumns),
            "argument 1 of transform is no lambda of one up to 2 variables");
  EXPECT_EQ(ConditionOf(Variable(7), kColumns), "lambda_variable 7 is used outside of its lambda");
}

}  // namespace
}  // namespace reprise
