#include "task/handle_table.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(HandleTable, NeverGivesAHandleTwice) {
  HandleTable<int> table;
  const int64_t first = table.Add(std::make_shared<int>(1));
  EXPECT_GT(first, 0);
  EXPECT_EQ(*table.Take(first), 1);
  const int64_t second = table.Add(std::make_shared<int>(2));
  EXPECT_NE(first, second);
  EXPECT_EQ(table.Find(first), nullptr);
  EXPECT_EQ(table.Take(first), nullptr);
  EXPECT_EQ(*table.Find(second), 2);
}

TEST(HandleTable, KnowsWhichHandlesItGave) {
  HandleTable<int> table;
  EXPECT_FALSE(table.WasGiven(0));
  EXPECT_FALSE(table.WasGiven(1));
  const int64_t handle = table.Add(std::make_shared<int>(1));
  EXPECT_TRUE(table.WasGiven(handle));
  table.Take(handle);
  EXPECT_TRUE(table.WasGiven(handle));
  EXPECT_FALSE(table.WasGiven(handle + 1));
  EXPECT_FALSE(table.WasGiven(-handle));
}

TEST(HandleTable, TakesOutWhatAConditionNames) {
  HandleTable<int> table;
  const int64_t one = table.Add(std::make_shared<int>(1));
  const int64_t two = table.Add(std::make_shared<int>(2));
  table.TakeIf([](int value) { return value == 1; });
  EXPECT_EQ(table.Find(one), nullptr);
  EXPECT_EQ(*table.Find(two), 2);
}

}  // namespace
}  // namespace reprise
