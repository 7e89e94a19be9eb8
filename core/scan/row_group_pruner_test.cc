#include "scan/row_group_pruner.h"

#include <gtest/gtest.h>

#include <limits>

#include "scan/parquet_test_files.h"

namespace reprise {
namespace {

using parquet_test::Condition;

const DataType kInt{TypeKind::kInteger};
const DataType kDouble{TypeKind::kDouble};

ExpressionSpec C(const DataType& type = kInt, int index = 0) {
  return {"column", type, true, {{"index", index}}, {}};
}

ExpressionSpec L(nlohmann::json value, const DataType& type = kInt) {
  return {"literal", type, true, {{"value", std::move(value)}}, {}};
}

ColumnRange IntRange(int min, int max) {
  ColumnRange range;
  range.min = __int128{min};
  range.max = __int128{max};
  return range;
}

bool Skips(const ExpressionSpec& condition, const ColumnRange& range, const DataType& type = kInt) {
  const RowGroupPruner pruner({condition}, {{"c", type}, {"d", type}});
  return pruner.CanSkip([&](int) { return range; });
}

TEST(RowGroupPrunerTest, ComparesIntegers) {
  const ColumnRange range = IntRange(10, 20);
  const struct {
    const char* function;
    int literal;
    bool skips;
  } cases[] = {{"equal", 9, true},
               {"equal", 10, false},
               {"equal", 20, false},
               {"equal", 21, true},
               {"less", 10, true},
               {"less", 11, false},
               {"less_or_equal", 9, true},
               {"less_or_equal", 10, false},
               {"greater", 20, true},
               {"greater", 19, false},
               {"greater_or_equal", 21, true},
               {"greater_or_equal", 20, false},
               {"equal_null_safe", 9, true},
               {"equal_null_safe", 10, false}};
  for (const auto& test : cases) {
    EXPECT_EQ(Skips(Condition(test.function, {C(), L(test.literal)}), range), test.skips)
        << test.function << " " << test.literal;
  }
  EXPECT_TRUE(Skips(Condition("less", {L(20), C()}), range));  // 20 < c
  EXPECT_FALSE(Skips(Condition("less", {L(19), C()}), range));
}

TEST(RowGroupPrunerTest, NullsAreNeverTrue) {
  ColumnRange nulls;
  nulls.all_null = true;
  EXPECT_TRUE(Skips(Condition("equal", {C(), L(1)}), nulls));
  EXPECT_TRUE(Skips(Condition("is_not_null", {C()}), nulls));
  EXPECT_FALSE(Skips(Condition("is_null", {C()}), nulls));
  EXPECT_FALSE(Skips(Condition("equal_null_safe", {C(), L(nullptr)}), nulls));
  EXPECT_TRUE(Skips(Condition("equal", {C(), L(nullptr)}), IntRange(1, 2)));
  ColumnRange full = IntRange(1, 2);
  EXPECT_FALSE(Skips(Condition("is_null", {C()}), full));  // the number of nulls is not known
  full.no_nulls = true;
  EXPECT_TRUE(Skips(Condition("is_null", {C()}), full));
  EXPECT_TRUE(Skips(Condition("equal_null_safe", {C(), L(nullptr)}), full));
}

TEST(RowGroupPrunerTest, InAndOr) {
  const ColumnRange range = IntRange(10, 20);
  const auto below = Condition("less", {C(), L(10)});
  const auto within = Condition("less", {C(), L(15)});
  const auto unknown = Condition("like", {C(), L(1)});
  EXPECT_TRUE(Skips(Condition("in", {C(), L(1), L(30), L(nullptr)}), range));
  EXPECT_FALSE(Skips(Condition("in", {C(), L(1), L(15)}), range));
  EXPECT_TRUE(Skips(Condition("and", {within, below}), range));
  EXPECT_TRUE(Skips(Condition("and", {unknown, below}), range));
  EXPECT_FALSE(Skips(Condition("and", {unknown, within}), range));
  EXPECT_TRUE(Skips(Condition("or", {below, below}), range));
  EXPECT_FALSE(Skips(Condition("or", {below, within}), range));
  EXPECT_FALSE(Skips(Condition("or", {below, unknown}), range));
}

TEST(RowGroupPrunerTest, IgnoresWhatItDoesNotUnderstand) {
  const ColumnRange range = IntRange(10, 20);
  EXPECT_FALSE(Skips(Condition("not", {Condition("less", {C(), L(100)})}), range));
  EXPECT_FALSE(Skips(Condition("less", {C(kInt, 0), C(kInt, 1)}), range));
  EXPECT_FALSE(Skips(Condition("less", {C(), L(1, {TypeKind::kLong})}), range));  // another type
  EXPECT_FALSE(Skips(Condition("less", {C(kInt, 9), L(1)}), range));              // no such column
  EXPECT_FALSE(Skips(Condition("less", {C(), L(1)}), ColumnRange{}));             // no statistics
}

TEST(RowGroupPrunerTest, NanIsGreatestAndOutsideOfTheBounds) {
  ColumnRange range;
  range.min = 1.0;
  range.max = 2.0;
  range.may_have_nan = true;
  EXPECT_FALSE(Skips(Condition("greater", {C(kDouble), L(5.0, kDouble)}), range, kDouble));
  EXPECT_FALSE(Skips(Condition("equal", {C(kDouble), L("NaN", kDouble)}), range, kDouble));
  EXPECT_FALSE(Skips(Condition("less", {C(kDouble), L("NaN", kDouble)}), range, kDouble));
  EXPECT_TRUE(Skips(Condition("less", {C(kDouble), L(1.0, kDouble)}), range, kDouble));
  EXPECT_TRUE(Skips(Condition("equal", {C(kDouble), L(5.0, kDouble)}), range, kDouble));
  range.min = 0.0;
  range.max = 0.0;
  EXPECT_FALSE(Skips(Condition("equal", {C(kDouble), L("-0.0", kDouble)}), range, kDouble));
}

TEST(RowGroupPrunerTest, FloatLiteralsAreFloats) {
  const DataType type{TypeKind::kFloat};
  ColumnRange range;
  range.min = range.max = static_cast<double>(0.1f);
  EXPECT_FALSE(Skips(Condition("equal", {C(type), L(0.1, type)}), range, type));
}

TEST(RowGroupPrunerTest, ComparesStringsByUnsignedBytes) {
  const DataType type{TypeKind::kString};
  ColumnRange range;
  range.min = std::string("b");
  range.max = std::string("\xC3\xA9");
  EXPECT_TRUE(Skips(Condition("less", {C(type), L("b", type)}), range, type));
  EXPECT_FALSE(Skips(Condition("greater", {C(type), L("z", type)}), range, type));
}

TEST(RowGroupPrunerTest, ReadsDecimalLiterals) {
  const DataType type = Decimal(38, 2);
  ColumnRange range;
  range.min = __int128{-500};
  range.max = __int128{500};
  EXPECT_TRUE(Skips(Condition("less", {C(type), L("-500", type)}), range, type));
  EXPECT_FALSE(Skips(Condition("less", {C(type), L("-499", type)}), range, type));
  EXPECT_TRUE(
      Skips(Condition("equal", {C(type), L("99999999999999999999999999999999999999", type)}), range,
            type));
}

}  // namespace
}  // namespace reprise
