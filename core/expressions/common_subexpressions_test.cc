#include "expressions/common_subexpressions.h"

#include <gtest/gtest.h>

#include <algorithm>

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

// How many there are, and how many of them are not met anyway.
struct Counts {
  size_t all;
  size_t alone;
  bool operator==(const Counts&) const = default;
};

Counts CountsOf(std::vector<ExpressionSpec> list, bool is_evaluated = true) {
  const auto made =
      MakeCommonSubexpressions(list, kInput, [&](size_t) { return is_evaluated; }).ValueOrDie();
  return {made.size(), static_cast<size_t>(
                           std::ranges::count(made, false, &CommonSubexpression::is_met_anyway))};
}

TEST(CommonSubexpressions, RightSidesOfAndCount) {
  const auto guarded = [](int column) { return Both(Tested(Column(column)), Tested(Sum(column))); };
  EXPECT_EQ(CountsOf({guarded(1)}), (Counts{0, 0}));
  EXPECT_EQ(CountsOf({guarded(0), guarded(1)}), (Counts{1, 1}));
}

TEST(CommonSubexpressions, BranchesCountWhereAllHaveThem) {
  EXPECT_EQ(CountsOf({Either(Sum(1), Column(0)), Either(Sum(2), Column(1))}), (Counts{0, 0}));
  EXPECT_EQ(CountsOf({Either(Sum(1), Sum(2)), Both(Tested(Column(0)), Tested(Sum(3)))}),
            (Counts{1, 1}));
}

TEST(CommonSubexpressions, WhatEveryRowComesByIsMetAnyway) {
  EXPECT_EQ(CountsOf({Sum(1), Sum(2)}), (Counts{1, 0}));
  EXPECT_EQ(CountsOf({Sum(1), Sum(2)}, /*is_evaluated=*/false), (Counts{1, 1}));
  EXPECT_EQ(CountsOf({Both(Tested(Sum(1)), Tested(Column(1))), Tested(Sum(2))}), (Counts{1, 0}));
  // Beside what may be null, it is not evaluated.
  const auto beside = [](int column) {
    return ExpressionSpec{"multiply", kInt, true, {{"ansi", false}}, {Column(column), Sum(column)}};
  };
  EXPECT_EQ(CountsOf({beside(0), beside(1)}), (Counts{1, 1}));
}

TEST(CommonSubexpressions, WhatCannotFailDoesNotMatter) {
  const ExpressionSpec other{"negate", kInt, true, {{"ansi", false}}, {Column(0)}};
  EXPECT_EQ(CountsOf({Both(Tested(Column(1)), Tested(other)), Tested(other)}), (Counts{0, 0}));
}

}  // namespace

}  // namespace reprise
