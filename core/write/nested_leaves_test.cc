#include "write/nested_leaves.h"

#include <arrow/array/concatenate.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exchange/column_testing.h"

namespace reprise {
namespace {

using ::testing::ElementsAre;
using testing::Good;

constexpr bool kMayBeNull = true;

std::shared_ptr<arrow::Array> ArrayOf(const std::shared_ptr<arrow::DataType>& type,
                                      const std::string& json) {
  return Good(arrow::json::ArrayFromJSONString(type, json));
}

Result<std::vector<LeafColumn>> Leaves(const std::shared_ptr<arrow::Array>& column,
                                       bool nullable = kMayBeNull) {
  return LeavesOf(column, *arrow::field("a", column->type(), nullable),
                  arrow::default_memory_pool());
}

TEST(NestedLeavesTest, AListHasAPlaceForEachElementAndForItsLack) {
  const auto leaves =
      Good(Leaves(ArrayOf(arrow::list(arrow::int32()), "[[1, null], null, [], [2]]")));
  ASSERT_EQ(leaves.size(), 1u);
  EXPECT_THAT(leaves[0].definition_levels, ElementsAre(3, 2, 0, 1, 3));
  EXPECT_THAT(leaves[0].repetition_levels, ElementsAre(0, 1, 0, 0, 0));
  EXPECT_TRUE(leaves[0].values->Equals(ArrayOf(arrow::int32(), "[1, 2]")));
}

TEST(NestedLeavesTest, WhatIsNeverNullHasNoLevel) {
  const auto element = arrow::field("element", arrow::int32(), false);
  const auto leaves = Good(Leaves(ArrayOf(arrow::list(element), "[[1, 3], [], [2]]"), !kMayBeNull));
  EXPECT_THAT(leaves[0].definition_levels, ElementsAre(1, 1, 0, 1));
  EXPECT_THAT(leaves[0].repetition_levels, ElementsAre(0, 1, 0, 0));
}

TEST(NestedLeavesTest, ListsOfListsRepeatAtTheirOwnLevel) {
  const auto leaves = Good(Leaves(
      ArrayOf(arrow::list(arrow::list(arrow::int32())), "[[[1, 2], [], null, [3]], [[4]]]")));
  EXPECT_THAT(leaves[0].definition_levels, ElementsAre(5, 5, 3, 2, 5, 5));
  EXPECT_THAT(leaves[0].repetition_levels, ElementsAre(0, 2, 1, 1, 1, 0));
  EXPECT_EQ(leaves[0].values->length(), 4);
}

TEST(NestedLeavesTest, BelowANullStructNothingHasAValue) {
  const auto type =
      arrow::struct_({arrow::field("x", arrow::int32()), arrow::field("y", arrow::utf8(), false)});
  const auto column = ArrayOf(type, R"([{"x": 1, "y": "p"}, {"x": null, "y": "q"}])");
  const auto null = ArrayOf(type, "[null]");
  const auto leaves = Good(Leaves(Good(arrow::Concatenate({column, null}))));
  ASSERT_EQ(leaves.size(), 2u);
  EXPECT_THAT(leaves[0].definition_levels, ElementsAre(2, 1, 0));
  EXPECT_THAT(leaves[1].definition_levels, ElementsAre(1, 1, 0));
  EXPECT_TRUE(leaves[1].values->Equals(ArrayOf(arrow::utf8(), R"(["p", "q"])")));
}

TEST(NestedLeavesTest, SlicesAreWrittenAlone) {
  const auto column =
      ArrayOf(arrow::map(arrow::utf8(), arrow::int32()), R"([[["a", 1]], [["b", null]], []])");
  const auto leaves = Good(Leaves(column->Slice(1, 2)));
  ASSERT_EQ(leaves.size(), 2u);
  EXPECT_THAT(leaves[0].definition_levels, ElementsAre(2, 1));
  EXPECT_TRUE(leaves[0].values->Equals(ArrayOf(arrow::utf8(), R"(["b"])")));
  EXPECT_THAT(leaves[1].definition_levels, ElementsAre(2, 1));
  EXPECT_EQ(leaves[1].values->length(), 0);
}

TEST(NestedLeavesTest, ANullWhereNoneMayBeIsAnError) {
  const auto lists = ArrayOf(arrow::list(arrow::int32()), "[[1, null]]");
  const auto element = arrow::field("element", arrow::int32(), false);
  const auto strict = arrow::field("a", arrow::list(element));
  const auto data = lists->data()->Copy();
  data->type = strict->type();
  EXPECT_EQ(
      LeavesOf(arrow::MakeArray(data), *strict, arrow::default_memory_pool()).status().message(),
      "field element has a null, but was said to have none");
}

}  // namespace
}  // namespace reprise
