#include "expressions/common_subexpressions.h"

#include <gtest/gtest.h>

namespace reprise {

namespace {

const DataType kInt{TypeKind::kInteger};
const DataType kBool{TypeKind::kBoolean};
const std::vector<Field> kInput = {{"x", kInt, true}, {"y", kInt, true}};

ExpressionSpec Column(int index) { return {"column", kInt, true, {{"index", index}}, {}}; }

ExpressionSpec Sum(int place) {
  return {"add",
          kInt,
          true,
          {{"ansi", true}, {"context", std::to_string(place)}},
          {Column(0), Column(1)}};
}

ExpressionSpec Tested(ExpressionSpec left) {
  return {"less", kBool, true, nlohmann::json::object(), {std::move(left), Column(0)}};
}

ExpressionSpec Both(ExpressionSpec left, ExpressionSpec right) {
  return {"and", kBool, true, nlohmann::json::object(), {std::move(left), std::move(right)}};
}

ExpressionSpec Either(ExpressionSpec value, ExpressionSpec otherwise) {
  return {"if",
          kInt,
          true,
          nlohmann::json::object(),
          {Tested(Column(1)), std::move(value), std::move(otherwise)}};
}

size_t CountOf(std::vector<ExpressionSpec> list) {
  const auto made = MakeCommonSubexpressions(list, kInput);
  EXPECT_TRUE(made.ok()) << made.status();
  return made.ok() ? made->size() : 0;
}

TEST(CommonSubexpressions, RightSidesOfAndCount) {
  const auto guarded = [](int place) { return Both(Tested(Column(1)), Tested(Sum(place))); };
  EXPECT_EQ(CountOf({guarded(1)}), 0);
  EXPECT_EQ(CountOf({guarded(1), guarded(2)}), 1);
}

TEST(CommonSubexpressions, BranchesCountWhereAllHaveThem) {
  EXPECT_EQ(CountOf({Either(Sum(1), Column(0)), Either(Sum(2), Column(1))}), 0);
  EXPECT_EQ(CountOf({Either(Sum(1), Sum(2)), Both(Tested(Column(0)), Tested(Sum(3)))}), 1);
}

TEST(CommonSubexpressions, WhatIsMetFirstAnywayIsLeftOut) {
  EXPECT_EQ(CountOf({Sum(1), Sum(2)}), 0);
  const ExpressionSpec other{"negate", kInt, true, {{"ansi", true}}, {Column(0)}};
  EXPECT_EQ(CountOf({other, Sum(1), Sum(2)}), 1);
}

TEST(CommonSubexpressions, WhatCannotFailDoesNotMatter) {
  const ExpressionSpec other{"negate", kInt, true, {{"ansi", false}}, {Column(0)}};
  EXPECT_EQ(CountOf({Both(Tested(Column(1)), Tested(other)), Tested(other)}), 0);
}

}  // namespace

}  // namespace reprise
